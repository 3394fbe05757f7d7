// ApiObjects: what a fake API server has: ResourceClaims with their history, ResourceSlices, nodes. Value code, for
// fake_api_server.h.
#ifndef KUBELET_CM_TESTING_FAKES_API_OBJECTS_H_
#define KUBELET_CM_TESTING_FAKES_API_OBJECTS_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "dra/claim/claim_object.h"
#include "testing/fakes/api_slices.h"

namespace kubelet_cm::fakes {

class ApiObjects {
 public:
  void PutClaim(const dra::ClaimObject& claim);
  void DeleteClaim(const std::string& namespace_name, const std::string& name);

  // The number of changes that there were.
  int64_t version() const { return version_; }
  // As JSON of the given API version; nothing if there is none.
  std::optional<std::string> Claim(const std::string& namespace_name, const std::string& name,
                                   const std::string& api) const;
  // A page of a list: up to `limit` claims after the key `after`.
  std::string ClaimList(const std::string& api, size_t limit, const std::string& after) const;
  // Whether the history reaches back so far.
  bool Remembers(int64_t version) const { return version >= compacted_; }
  // The watch events after a version, one a line, and moves it on.
  std::string EventsAfter(int64_t* version, const std::string& api) const;
  // Forgets the history.
  void Compact();

  std::set<std::string> nodes;
  ApiSlices slices;

 private:
  struct Stored {
    dra::ClaimObject claim;
    int64_t version = 0;
  };
  struct Change {
    std::string type;
    Stored stored;
  };

  int64_t version_ = 1;
  int64_t compacted_ = 1;  // the version that the history begins after
  std::map<std::string, Stored> claims_;
  std::vector<Change> history_;
};

// A Status object, as the API server answers what it refuses.
std::string ApiStatus(int code, const std::string& reason, const std::string& message);

}  // namespace kubelet_cm::fakes

#endif  // KUBELET_CM_TESTING_FAKES_API_OBJECTS_H_
