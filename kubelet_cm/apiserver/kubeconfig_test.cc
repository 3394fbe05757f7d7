#include "kubelet_cm/apiserver/kubeconfig.h"

#include <string>

#include "absl/status/status.h"
#include "common/filesystem/fake_file_system.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::apiserver {
namespace {

using testing::HasSubstr;

constexpr char kKubelets[] = R"(apiVersion: v1
kind: Config
clusters:
- name: default-cluster
  cluster:
    certificate-authority: pki/ca.crt
    server: https://10.0.0.1:6443/
    tls-server-name: kubernetes
- name: other
  cluster: {server: "http://127.0.0.1:8001/prefix", insecure-skip-tls-verify: true, proxy-url: "http://p:1"}
users:
- name: default-auth
  user:
    client-certificate: /var/lib/kubelet/pki/kubelet-client-current.pem
    client-key: /var/lib/kubelet/pki/kubelet-client-current.pem
- name: inline
  user: {client-certificate-data: Y2VydA==, client-key-data: a2V5, username: u, password: p}
- name: token
  user: {token: abc, tokenFile: token}
- name: program
  user: {exec: {command: aws}}
- name: disguised
  user: {token: abc, as: admin}
- name: half
  user: {client-certificate: a}
contexts:
- name: default-context
  context: {cluster: default-cluster, user: default-auth, namespace: default}
- {name: inline, context: {cluster: other, user: inline}}
- {name: token, context: {cluster: other, user: token}}
- {name: program, context: {cluster: other, user: program}}
- {name: disguised, context: {cluster: other, user: disguised}}
- {name: half, context: {cluster: other, user: half}}
- {name: nobody, context: {cluster: other}}
- {name: lost-cluster, context: {cluster: x}}
- {name: lost-user, context: {cluster: other, user: z}}
current-context: )";

absl::StatusOr<ApiAccess> Parse(const std::string& context) {
  return ParseKubeconfig(kKubelets + context + "\n", "/etc/kubernetes");
}

TEST(KubeconfigTest, ReadsAKubeletsOwn) {
  ASSERT_OK_AND_ASSIGN(const ApiAccess access, Parse("default-context"));
  EXPECT_EQ(access.server, "https://10.0.0.1:6443");
  EXPECT_EQ(access.namespace_name, "default");
  EXPECT_EQ(access.ca, (Pem{.path = "/etc/kubernetes/pki/ca.crt"}));
  EXPECT_EQ(access.tls_server_name, "kubernetes");
  EXPECT_EQ(access.client_key, (Pem{.path = "/var/lib/kubelet/pki/kubelet-client-current.pem"}));
  EXPECT_FALSE(access.insecure_skip_verify);
}

TEST(KubeconfigTest, ReadsInlineCertificatesAndPasswords) {
  ASSERT_OK_AND_ASSIGN(const ApiAccess access, Parse("inline"));
  EXPECT_EQ(access.server, "http://127.0.0.1:8001/prefix");
  EXPECT_EQ(access.client_certificate.text, "cert");
  EXPECT_EQ(access.client_key.text, "key");
  EXPECT_EQ(access.username, "u");
  EXPECT_EQ(access.password, "p");
  EXPECT_TRUE(access.insecure_skip_verify);
  EXPECT_EQ(access.proxy_url, "http://p:1");
}

TEST(KubeconfigTest, ReadsTokens) {
  ASSERT_OK_AND_ASSIGN(const ApiAccess access, Parse("token"));
  EXPECT_EQ(access.token, "abc");
  EXPECT_EQ(access.token_file, "/etc/kubernetes/token");
}

TEST(KubeconfigTest, TakesAContextWithoutAUser) {
  ASSERT_OK_AND_ASSIGN(const ApiAccess access, Parse("nobody"));
  EXPECT_EQ(access.token, "");
}

TEST(KubeconfigTest, SaysWhatDoesNotExist) {
  const auto refused = [](const char* message) {
    return StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(message));
  };
  EXPECT_THAT(Parse("nowhere"), refused("context \"nowhere\" does not exist"));
  EXPECT_THAT(Parse("lost-cluster"), refused("cluster \"x\" does not exist"));
  EXPECT_THAT(Parse("lost-user"), refused("user \"z\" does not exist"));
  EXPECT_THAT(Parse(""), refused("no current-context"));
  EXPECT_THAT(Parse("half"), refused("a client certificate and its key go together"));
  EXPECT_THAT(ParseKubeconfig("", "/"), refused("not a kubeconfig"));
  EXPECT_THAT(ParseKubeconfig("kind: Pod\n", "/"), refused("kind: \"Pod\" is not Config"));
  EXPECT_THAT(ParseKubeconfig("clusters: 5\n", "/"), refused("line 1, column 11: json: cannot unmarshal number"));
}

TEST(KubeconfigTest, RefusesToBeSomebodyElse) {
  EXPECT_THAT(Parse("disguised"), StatusIs(absl::StatusCode::kUnimplemented, HasSubstr(": as is not supported")));
}

TEST(KubeconfigTest, RefusesToStartPrograms) {
  EXPECT_THAT(Parse("program"), StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("exec")));
}

TEST(KubeconfigTest, RefusesWhatIsNoUrl) {
  for (const char* server : {"", "ftp://x", "https://", "https://user@host", "https://h/?q", "\"https://a b\""}) {
    const std::string text = std::string(
                                 "current-context: c\ncontexts: [{name: c, context: {cluster: k}}]\n"
                                 "clusters:\n- name: k\n  cluster:\n    server: ") +
                             server + "\n";
    EXPECT_THAT(ParseKubeconfig(text, "/"), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("server: ")))
        << server;
  }
}

TEST(KubeconfigTest, NamesTheFile) {
  FakeFileSystem files;
  EXPECT_THAT(LoadKubeconfig(files, "/kubeconfig"), StatusIs(absl::StatusCode::kNotFound));
  ASSERT_OK_AND_ASSIGN(const auto file, files.Open("/kubeconfig", OpenMode::kCreate));
  ASSERT_OK(file->Write("contexts: x\n"));
  EXPECT_THAT(LoadKubeconfig(files, "/kubeconfig"),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("kubeconfig /kubeconfig: line 1, column 11: ")));
}

}  // namespace
}  // namespace kubelet_cm::apiserver
