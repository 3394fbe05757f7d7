// ApiServerLink: everything that the daemon has of an API server, put together: the connection, its ResourceClaims with
// their watch, its ResourceSlices.
//
//   ASSIGN_OR_RETURN(const ApiAccess access, LoadKubeconfig(files, path));
//   ApiServerLink link({...}, access, node_name);
//   ... link.claims(), link.slices() ...
//   link.Stop();          // calls that are under way end, so that those who wait for them can go
#ifndef KUBELET_CM_KUBELET_CM_APISERVER_API_SERVER_LINK_H_
#define KUBELET_CM_KUBELET_CM_APISERVER_API_SERVER_LINK_H_

#include <memory>
#include <string>

#include "common/filesystem/file_system.h"
#include "common/log/logger.h"
#include "common/random/random.h"
#include "common/threads/threads.h"
#include "kubelet_cm/apiserver/api_access.h"
#include "kubelet_cm/apiserver/api_server.h"
#include "kubelet_cm/apiserver/api_server_claims.h"
#include "kubelet_cm/apiserver/api_server_slices.h"
#include "kubelet_cm/apiserver/claim_watch.h"
#include "kubelet_cm/apiserver/curl_client.h"
#include "kubelet_cm/apiserver/resource_api.h"

namespace kubelet_cm::apiserver {

class ApiServerLink {
 public:
  struct Dependencies {
    Threads& threads;
    FileSystem& files;
    Random& random;
    Logger& log;
  };

  // Nothing is waited for: the server may come later. What is given outlives the object.
  ApiServerLink(Dependencies dependencies, const ApiAccess& access, const std::string& node_name)
      : http_(access),
        server_({dependencies.threads.clock(), dependencies.files, http_}, access),
        api_(server_),
        watch_({dependencies.threads, dependencies.random, dependencies.log, api_}),
        claims_(api_, &watch_, dependencies.log),
        slices_(api_, node_name) {}
  // Those who use claims() and slices() are gone.
  ~ApiServerLink() { Stop(); }
  ApiServerLink(const ApiServerLink&) = delete;
  ApiServerLink& operator=(const ApiServerLink&) = delete;

  ApiServerClaims& claims() { return claims_; }
  ApiServerSlices& slices() { return slices_; }
  // Whether the watch has a picture of the claims.
  bool synced() const { return watch_.synced(); }

  // Every call that is under way, and every later one, ends soon with kCancelled. Any thread.
  void Stop() { http_.Stop(); }

 private:
  CurlClient http_;
  ApiServer server_;
  ResourceApi api_;
  ClaimWatch watch_;
  ApiServerClaims claims_;
  ApiServerSlices slices_;
};

}  // namespace kubelet_cm::apiserver

#endif  // KUBELET_CM_KUBELET_CM_APISERVER_API_SERVER_LINK_H_
