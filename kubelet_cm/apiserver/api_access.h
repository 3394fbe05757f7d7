// ApiAccess: where an API server is and how it is spoken to: what a kubeconfig says of one context. A plain value; it
// holds secrets, so it is never logged.
#ifndef KUBELET_CM_KUBELET_CM_APISERVER_API_ACCESS_H_
#define KUBELET_CM_KUBELET_CM_APISERVER_API_ACCESS_H_

#include <string>

namespace kubelet_cm::apiserver {

// A certificate or key: the text itself, or the file that has it at the moment; the text counts where both are given.
// Files are read for every new connection, since they are renewed.
struct Pem {
  std::string text = {};
  std::string path = {};

  bool empty() const { return text.empty() && path.empty(); }
  friend bool operator==(const Pem&, const Pem&) = default;
};

struct ApiAccess {
  std::string server = {};          // "https://10.0.0.1:6443", without a slash at the end
  std::string namespace_name = {};  // of the context
  std::string proxy_url = {};

  Pem ca = {};                        // empty: the system's
  bool insecure_skip_verify = false;  // whoever answers is taken for the server
  std::string tls_server_name = {};   // what the server's certificate is for; empty: the host in `server`
  Pem client_certificate = {};
  Pem client_key = {};

  std::string token = {};
  std::string token_file = {};  // counts before `token`
  std::string username = {};
  std::string password = {};

  friend bool operator==(const ApiAccess&, const ApiAccess&) = default;
};

}  // namespace kubelet_cm::apiserver

#endif  // KUBELET_CM_KUBELET_CM_APISERVER_API_ACCESS_H_
