#include "tools/cmctl/node/node_verbs.h"

#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/gotext/json_writer.h"
#include "common/status/status_macros.h"
#include "common/version/version.h"
#include "tools/cmctl/checkpoint/state_json.h"
#include "tools/cmctl/checkpoint/terminal_text.h"
#include "tools/cmctl/node/answer_text.h"
#include "tools/cmctl/node/description.h"
#include "tools/cmctl/node/node_answer.h"
#include "tools/cmctl/node/node_names.h"

namespace kubelet_cm::cmctl {
namespace {

// Several descriptions of things of one name (a plugin may have several instances), with a line between them.
template <typename Items, typename Describe>
std::string DescribeEach(const Items& items, Describe describe) {
  std::string text;
  for (const auto& item : items) absl::StrAppend(&text, text.empty() ? "" : "\n", describe(item));
  return text;
}

absl::StatusOr<std::string> Description(ControlClient& daemon, const SubjectOptions& options, absl::Time now) {
  ASSIGN_OR_RETURN(
      const NodeAnswer answer,
      AskNode(daemon, {.kind = options.kind + "s", .name = options.name, .namespace_name = options.namespace_name},
              now));
  const google::protobuf::Message& message = *answer.message;
  const TypedName typed{.text = options.name, .namespace_name = options.namespace_name};
  if (options.kind == "pod") {
    ASSIGN_OR_RETURN(const v1::PodView pod, FindPod(static_cast<const v1::ListPodsResponse&>(message), typed));
    return DescribePod(pod, now);
  }
  if (options.kind == "claim") {
    ASSIGN_OR_RETURN(const v1::ListClaimsResponse::Claim claim,
                     FindClaim(static_cast<const v1::ListClaimsResponse&>(message), typed));
    return DescribeClaim(claim);
  }
  if (options.kind == "resource") {
    return DescribeEach(static_cast<const v1::NodeResourcesResponse&>(message).resources(), DescribeResource);
  }
  return DescribeEach(static_cast<const v1::ListPluginsResponse&>(message).plugins(), DescribePlugin);
}

absl::StatusOr<v1::ExplainRequest> ExplainRequestFor(ControlClient& daemon, const SubjectOptions& options) {
  v1::ExplainRequest request;
  const TypedName typed{.text = options.name, .namespace_name = options.namespace_name};
  if (options.kind == "pod") {
    ASSIGN_OR_RETURN(const v1::ListPodsResponse pods, daemon.ListPods());
    ASSIGN_OR_RETURN(const v1::PodView found, FindPod(pods, typed));
    *request.mutable_pod() = found.pod();
  } else if (options.kind == "claim") {
    ASSIGN_OR_RETURN(const v1::ListClaimsResponse claims, daemon.ListClaims());
    ASSIGN_OR_RETURN(const v1::ListClaimsResponse::Claim found, FindClaim(claims, typed));
    request.mutable_claim()->set_namespace_(found.namespace_());
    request.mutable_claim()->set_name(found.name());
  } else {
    ASSIGN_OR_RETURN(const v1::NodeResourcesResponse resources, daemon.NodeResources());
    request.set_resource(options.name);
    for (const v1::NodeResourcesResponse::Resource& resource : resources.resources()) {
      if (Means(options.name, "resource", resource.name())) request.set_resource(resource.name());
    }
  }
  return request;
}

std::string Coloured(const std::string& level, const Palette& palette) {
  if (level == "problem") return palette.Bad(level);
  return level == "ok" ? palette.Good(level) : Printable(level);
}

void PrintExplanation(const v1::ExplainResponse& answer, const ToolEnvironment& environment) {
  const Palette palette(environment.colours);
  environment.out << Printable(answer.summary()) << "\n";
  for (const v1::ExplainResponse::Finding& finding : answer.findings()) {
    environment.out << "  " << Coloured(finding.level(), palette) << ": " << Printable(finding.text()) << "\n";
    if (!finding.advice().empty()) environment.out << "    -> " << Printable(finding.advice()) << "\n";
  }
}

absl::StatusOr<std::string> Explanation(ControlClient& daemon, const SubjectOptions& options,
                                        const ToolEnvironment& environment) {
  ASSIGN_OR_RETURN(const v1::ExplainRequest request, ExplainRequestFor(daemon, options));
  ASSIGN_OR_RETURN(const v1::ExplainResponse answer, daemon.Explain(request));
  if (options.output != "text") return AnswerText(answer, options.output);
  PrintExplanation(answer, environment);
  return std::string();
}

int PrintOrComplain(const absl::StatusOr<std::string>& text, const ToolEnvironment& environment) {
  if (!text.ok()) return Complain(environment, "", text.status());
  environment.out << *text;
  return kOk;
}

void PrintVersions(const v1::VersionResponse& daemon, const ToolEnvironment& environment) {
  environment.out << "kubelet_cm " << Printable(daemon.version()) << "\n"
                  << "  behaves as kubelet " << Printable(daemon.emulated_kubelet()) << "\n"
                  << "  node " << Printable(daemon.node_name()) << ", root folder " << Printable(daemon.root_dir())
                  << "\n"
                  << "  since " << TimeText(daemon.started_unix_nanos()) << " ("
                  << AgeText(daemon.started_unix_nanos(), environment.clock.WallNow()) << ")\n";
  for (const std::string& restored : daemon.restored()) environment.out << "  " << Printable(restored) << "\n";
}

// {"client": {"version": ...}, "daemon": {...} or null}.
absl::StatusOr<std::string> VersionText(const v1::VersionResponse* daemon, const std::string& format) {
  std::string daemon_json = "null";
  if (daemon != nullptr) {
    ASSIGN_OR_RETURN(daemon_json, AnswerJson(*daemon));
  }
  std::string json;
  JsonWriter writer(&json);
  writer.BeginObject();
  writer.Key("client");
  writer.BeginObject();
  writer.Key("version");
  writer.String(std::string_view(kVersion.data(), kVersion.size()));
  writer.EndObject();
  writer.Key("daemon");
  writer.Raw(daemon_json);
  writer.EndObject();
  return format == "yaml" ? YamlOf(json) : IndentedJson(json);
}

}  // namespace

int RunDescribe(const SubjectOptions& options, const ToolEnvironment& environment) {
  return WithDaemon(options.connection, environment, [&](ControlClient& daemon) {
    return PrintOrComplain(Description(daemon, options, environment.clock.WallNow()), environment);
  });
}

int RunExplainNode(const SubjectOptions& options, const ToolEnvironment& environment) {
  return WithDaemon(options.connection, environment, [&](ControlClient& daemon) {
    return PrintOrComplain(Explanation(daemon, options, environment), environment);
  });
}

int RunForgetClaim(const ForgetOptions& options, const ToolEnvironment& environment) {
  return WithDaemon(options.connection, environment, [&](ControlClient& daemon) -> int {
    const absl::StatusOr<v1::ListClaimsResponse> claims = daemon.ListClaims();
    if (!claims.ok()) return Complain(environment, "", claims.status());
    const absl::StatusOr<v1::ListClaimsResponse::Claim> claim =
        FindClaim(*claims, {.text = options.claim, .namespace_name = options.namespace_name});
    if (!claim.ok()) return Complain(environment, "", claim.status());
    v1::ForgetClaimRequest request;
    request.set_namespace_(claim->namespace_());
    request.set_name(claim->name());
    request.set_who(options.who.empty() ? environment.user.user : options.who);
    const absl::StatusOr<v1::ForgetClaimResponse> answer = daemon.ForgetClaim(request);
    if (!answer.ok()) return Complain(environment, "", answer.status());
    environment.out << "claim " << Printable(absl::StrCat(claim->namespace_(), "/", claim->name())) << " (uid "
                    << Printable(answer->uid()) << ") forgotten; its drivers were not told\n";
    for (const v1::PodReference& pod : answer->pods()) {
      environment.out << "  it was referenced by pod " << Printable(PodText(pod)) << "\n";
    }
    return kOk;
  });
}

int RunDrain(const ConnectionFlags& connection, const ToolEnvironment& environment) {
  return WithDaemon(connection, environment, [&](ControlClient& daemon) -> int {
    const absl::Status status = daemon.Drain();
    if (!status.ok()) return Complain(environment, "", status);
    environment.out << "draining: no pod is admitted any more, until kubelet_cm starts again\n";
    return kOk;
  });
}

int RunVersion(const VersionOptions& options, const ToolEnvironment& environment) {
  if (options.output == "text") environment.out << "cmctl " << kVersion << "\n";
  absl::StatusOr<v1::VersionResponse> daemon = absl::UnavailableError("not asked");
  if (!options.client_only && environment.node != nullptr) {
    const auto client = OpenDaemon(options.connection, environment);
    daemon = client.ok() ? (*client)->Version() : client.status();
    if (!daemon.ok()) Complain(environment, "", daemon.status());
  }
  if (options.output != "text") {
    return PrintOrComplain(VersionText(daemon.ok() ? &*daemon : nullptr, options.output), environment);
  }
  if (daemon.ok()) PrintVersions(*daemon, environment);
  return kOk;
}

}  // namespace kubelet_cm::cmctl
