#include "kubelet_cm/apiserver/kubeconfig.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "common/filesystem/file_functions.h"
#include "common/filesystem/path.h"
#include "common/gotext/go_slice.h"
#include "common/gotext/json_decoder.h"
#include "common/gotext/quote.h"
#include "common/status/status_macros.h"
#include "kubelet_cm/manifest/manifest_objects.h"

namespace kubelet_cm::apiserver {
namespace {

constexpr size_t kShownSize = 64;
constexpr GoField kConfigFields[] = {{"clusters"}, {"users"}, {"contexts"}, {"current-context"}};
constexpr GoStruct kConfig{"v1.Config", kConfigFields};
constexpr GoField kNamedClusterFields[] = {{"name"}, {"cluster"}};
constexpr GoStruct kNamedCluster{"v1.NamedCluster", kNamedClusterFields};
constexpr GoField kClusterFields[] = {{"server"},
                                      {"certificate-authority"},
                                      {"certificate-authority-data"},
                                      {"insecure-skip-tls-verify"},
                                      {"tls-server-name"},
                                      {"proxy-url"}};
constexpr GoStruct kCluster{"v1.Cluster", kClusterFields};
constexpr GoField kNamedUserFields[] = {{"name"}, {"user"}};
constexpr GoStruct kNamedUser{"v1.NamedAuthInfo", kNamedUserFields};
constexpr GoField kUserFields[] = {{"client-certificate"},
                                   {"client-certificate-data"},
                                   {"client-key"},
                                   {"client-key-data"},
                                   {"token"},
                                   {"tokenFile"},
                                   {"username"},
                                   {"password"},
                                   // Others are not supported, all of which would make the caller somebody else.
                                   {"exec"},
                                   {"auth-provider"},
                                   {"as"},
                                   {"as-uid"},
                                   {"as-groups"},
                                   {"as-user-extra"}};
constexpr GoStruct kUser{"v1.AuthInfo", kUserFields};
constexpr GoField kNamedContextFields[] = {{"name"}, {"context"}};
constexpr GoStruct kNamedContext{"v1.NamedContext", kNamedContextFields};
constexpr GoField kContextFields[] = {{"cluster"}, {"user"}, {"namespace"}};
constexpr GoStruct kContext{"v1.Context", kContextFields};

struct Cluster {
  std::string name;
  ApiAccess access;
};

struct User {
  std::string name;
  ApiAccess access;
  std::string_view unsupported = {};  // a field that it has
};

struct Context {
  std::string name;
  std::string cluster;
  std::string user;
  std::string namespace_name;
};

struct Config {
  GoSlice<Cluster> clusters;
  GoSlice<User> users;
  GoSlice<Context> contexts;
  std::string current;
};

class ConfigDecoder {
 public:
  const absl::Status& status() const { return decoder_.status(); }

  void Decode(JsonValue json, Config* out) {
    decoder_.Struct(json, kConfig, [&](size_t field, JsonValue value) {
      if (field == 0) {
        return decoder_.Slice(value, "[]v1.NamedCluster", &out->clusters,
                              [this](JsonValue element, Cluster* cluster) { NamedCluster(element, cluster); });
      }
      if (field == 1) {
        return decoder_.Slice(value, "[]v1.NamedAuthInfo", &out->users,
                              [this](JsonValue element, User* user) { NamedUser(element, user); });
      }
      if (field == 3) return Text(value, &out->current);
      decoder_.Slice(value, "[]v1.NamedContext", &out->contexts,
                     [this](JsonValue element, Context* context) { NamedContext(element, context); });
    });
  }

 private:
  void Text(JsonValue value, std::string* out) { decoder_.String(value, "string", out); }

  void Bytes(JsonValue value, std::string* out) {
    GoBytes bytes;
    decoder_.Bytes(value, &bytes);
    out->assign(bytes.begin(), bytes.end());
  }

  void NamedCluster(JsonValue json, Cluster* out) {
    decoder_.Struct(json, kNamedCluster, [&](size_t named, JsonValue cluster) {
      if (named == 0) return Text(cluster, &out->name);
      ApiAccess& access = out->access;
      decoder_.Struct(cluster, kCluster, [&](size_t field, JsonValue value) {
        if (field == 0) return Text(value, &access.server);
        if (field == 1) return Text(value, &access.ca.path);
        if (field == 2) return Bytes(value, &access.ca.text);
        if (field == 3) return decoder_.Bool(value, "bool", &access.insecure_skip_verify);
        Text(value, field == 4 ? &access.tls_server_name : &access.proxy_url);
      });
    });
  }

  void NamedUser(JsonValue json, User* out) {
    decoder_.Struct(json, kNamedUser, [&](size_t named, JsonValue user) {
      if (named == 0) return Text(user, &out->name);
      ApiAccess& access = out->access;
      decoder_.Struct(user, kUser, [&](size_t field, JsonValue value) {
        if (field == 0) return Text(value, &access.client_certificate.path);
        if (field == 1) return Bytes(value, &access.client_certificate.text);
        if (field == 2) return Text(value, &access.client_key.path);
        if (field == 3) return Bytes(value, &access.client_key.text);
        if (field == 4) return Text(value, &access.token);
        if (field == 5) return Text(value, &access.token_file);
        if (field == 6) return Text(value, &access.username);
        if (field == 7) return Text(value, &access.password);
        if (value.type() != JsonType::kNull) out->unsupported = kUserFields[field].key;
      });
    });
  }

  void NamedContext(JsonValue json, Context* out) {
    decoder_.Struct(json, kNamedContext, [&](size_t named, JsonValue context) {
      if (named == 0) return Text(context, &out->name);
      decoder_.Struct(context, kContext, [&](size_t field, JsonValue value) {
        if (field == 0) return Text(value, &out->cluster);
        Text(value, field == 1 ? &out->user : &out->namespace_name);
      });
    });
  }

  JsonDecoder decoder_;
};

std::string Shown(std::string_view text) { return GoQuote(text.substr(0, kShownSize)); }

// The one of that name; the first, as in the kubelet's own reader.
template <typename T>
absl::StatusOr<T> Named(const GoSlice<T>& list, std::string_view what, const std::string& name) {
  const auto found = std::find_if(list.begin(), list.end(), [&](const T& one) { return one.name == name; });
  if (found != list.end()) return *found;
  return absl::InvalidArgumentError(absl::StrCat(std::string(what), " ", Shown(name), " does not exist"));
}

absl::Status CheckServer(ApiAccess* access) {
  std::string& server = access->server;
  while (server.ends_with('/')) server.pop_back();
  const bool https = server.starts_with("https://") && server.size() > 8;
  const bool http = server.starts_with("http://") && server.size() > 7;
  const bool plain = std::all_of(server.begin(), server.end(), [](char c) { return c > ' ' && c < '\x7f'; });
  if ((https || http) && plain && server.find_first_of("@?#") == std::string::npos) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("server: ", Shown(server), " is not the URL of an API server"));
}

absl::Status CheckUser(const User& user) {
  const ApiAccess& access = user.access;
  if (!user.unsupported.empty()) {
    return absl::UnimplementedError(absl::StrCat("user ", Shown(user.name), ": ", std::string(user.unsupported),
                                                 " is not supported; a token, a token file, a password or a client "
                                                 "certificate is"));
  }
  if (access.client_certificate.empty() != access.client_key.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("user ", Shown(user.name), ": a client certificate and its key go together"));
  }
  const bool plain =
      std::all_of(access.token.begin(), access.token.end(), [](char c) { return c > ' ' && c < '\x7f'; });
  if (plain) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("user ", Shown(user.name), ": token: not a token"));
}

absl::StatusOr<ApiAccess> AccessOf(const Config& config) {
  if (config.current.empty()) return absl::InvalidArgumentError("no current-context");
  ASSIGN_OR_RETURN(const Context context, Named(config.contexts, "context", config.current));
  ASSIGN_OR_RETURN(const Cluster cluster, Named(config.clusters, "cluster", context.cluster));
  ApiAccess access = cluster.access;
  RETURN_IF_ERROR(CheckServer(&access));
  access.namespace_name = context.namespace_name;
  if (context.user.empty()) return access;
  ASSIGN_OR_RETURN(const User user, Named(config.users, "user", context.user));
  RETURN_IF_ERROR(CheckUser(user));
  access.client_certificate = user.access.client_certificate;
  access.client_key = user.access.client_key;
  access.token = user.access.token;
  access.token_file = user.access.token_file;
  access.username = user.access.username;
  access.password = user.access.password;
  return access;
}

void MakeAbsolute(const std::string& folder, std::string* path) {
  if (!path->empty() && !path->starts_with('/')) *path = JoinPath(folder, *path);
}

}  // namespace

absl::StatusOr<ApiAccess> ParseKubeconfig(std::string_view text, const std::string& folder) {
  ASSIGN_OR_RETURN(const ManifestObjects objects, ManifestObjects::Read(text));
  if (objects.all().size() != 1) return absl::InvalidArgumentError("not a kubeconfig");
  const ManifestObject& object = objects.all().front();
  if (!object.kind.empty() && object.kind != "Config") {
    return absl::InvalidArgumentError(absl::StrCat("kind: ", Shown(object.kind), " is not Config"));
  }
  ConfigDecoder decoder;
  Config config;
  decoder.Decode(object.value, &config);
  RETURN_IF_ERROR(object.WithPlace(decoder.status()));
  ASSIGN_OR_RETURN(ApiAccess access, AccessOf(config));
  for (std::string* path :
       {&access.ca.path, &access.client_certificate.path, &access.client_key.path, &access.token_file}) {
    MakeAbsolute(folder, path);
  }
  return access;
}

absl::StatusOr<ApiAccess> LoadKubeconfig(FileSystem& files, const std::string& path) {
  ASSIGN_OR_RETURN(const std::string text, ReadFile(files, path, kMaxManifestBytes));
  absl::StatusOr<ApiAccess> access = ParseKubeconfig(text, FolderOf(path));
  if (access.ok()) return access;
  return absl::Status(access.status().code(),
                      absl::StrCat("kubeconfig ", path, ": ", std::string(access.status().message())));
}

}  // namespace kubelet_cm::apiserver
