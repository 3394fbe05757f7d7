// SliceClient: the seam between the registry of drivers and whoever has the ResourceSlices: a fake in tests, in the
// daemon an API server.
//
// Thread-safe. Every call has a time limit, and blocks until it is answered or that is over (kDeadlineExceeded).
#ifndef KUBELET_CM_DRA_PLUGIN_SLICE_CLIENT_H_
#define KUBELET_CM_DRA_PLUGIN_SLICE_CLIENT_H_

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "dra/api/structured_handle.pb.h"

namespace kubelet_cm::dra {

// Which slices are meant: those of a node, and of one driver when it is named, or of all but some. A name is the
// driver's own word for itself: an implementation that writes it into a field selector escapes it.
struct SliceSelector {
  std::string node_name;
  std::optional<std::string> driver_name = {};
  std::set<std::string> spared_drivers = {};  // none if a driver is named

  friend bool operator==(const SliceSelector&, const SliceSelector&) = default;
};

// What a driver of 1.30 says that it has: the content of one slice.
using ResourceModel = ::k8s::io::api::resource::v1alpha2::ResourceModel;

// A slice of this node as a kubelet of 1.30 published it (resource.k8s.io/v1alpha2).
struct ModelSlice {
  std::string name = {};  // the server's to give
  std::string driver_name = {};
  ResourceModel model = {};
  std::string metadata = {};  // the server's own, as it told it: an update gives it back
};

class SliceClient {
 public:
  SliceClient() = default;
  SliceClient(const SliceClient&) = delete;
  SliceClient& operator=(const SliceClient&) = delete;
  virtual ~SliceClient() = default;

  // The name of this node. kNotFound while the API server does not know it.
  virtual absl::StatusOr<std::string> CheckNode(absl::Duration timeout) = 0;

  // kNotFound when there are none, if the server says so; kUnauthenticated as long as it does not know the caller.
  virtual absl::Status DeleteSlices(const SliceSelector& which, absl::Duration timeout) = 0;

  // Those of this node, of all drivers; and one of them made, with another model, and gone. An update of one that was
  // changed since it was listed is kAborted, and of one that is gone kNotFound.
  virtual absl::StatusOr<std::vector<ModelSlice>> ListModelSlices(absl::Duration timeout) = 0;
  virtual absl::Status CreateModelSlice(const ModelSlice& slice, absl::Duration timeout) = 0;
  virtual absl::Status UpdateModelSlice(const ModelSlice& slice, absl::Duration timeout) = 0;
  virtual absl::Status DeleteModelSlice(const std::string& name, absl::Duration timeout) = 0;
};

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_PLUGIN_SLICE_CLIENT_H_
