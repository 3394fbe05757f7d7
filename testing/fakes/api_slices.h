// ApiSlices: the ResourceSlices of a fake API server, as far as kubelets use them. Value code, for fake_api_server.h.
//
// Those of v1alpha2 have a content, and are listed, made, replaced and deleted one by one as kubelets of 1.30 did.
#ifndef KUBELET_CM_TESTING_FAKES_API_SLICES_H_
#define KUBELET_CM_TESTING_FAKES_API_SLICES_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace kubelet_cm::fakes {

struct ApiSlice {
  std::string node = {};
  std::string driver = {};
  std::string resources = {};  // of v1alpha2: what is in "namedResources"
  // Members of the metadata but the server's own: "ownerReferences":[...]
  std::string more_metadata = {};
  int64_t version = 0;  // the server's to give
};

struct ApiAnswer {
  int code = 200;
  std::string body = {};
};

class ApiSlices {
 public:
  void Put(const std::string& name, ApiSlice slice);
  std::set<std::string> Names() const;
  // What each slice of a driver has, by their names.
  std::vector<std::string> ResourcesOf(const std::string& driver) const;

  // `version` is that of resource.k8s.io, which says by which fields slices are selected.
  ApiAnswer DeleteSelected(const std::string& version, const std::string& selector);
  ApiAnswer List(const std::string& version, const std::string& selector) const;

  // Of v1alpha2; 404, 409 and 422 as a real server, for what is not there, was changed meanwhile, or is no slice.
  ApiAnswer Create(const std::string& body);
  ApiAnswer Replace(const std::string& name, const std::string& body);
  ApiAnswer Delete(const std::string& name);

 private:
  std::map<std::string, ApiSlice> slices_;  // by name
  int64_t last_version_ = 0;
};

}  // namespace kubelet_cm::fakes

#endif  // KUBELET_CM_TESTING_FAKES_API_SLICES_H_
