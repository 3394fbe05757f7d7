#include "kubelet_cm/http/health_checks.h"

#include <memory>
#include <set>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/gotext/quote.h"

namespace kubelet_cm::http {
namespace {

// "healthz" of "/healthz".
std::string NameOf(const std::string& path) { return path.substr(1); }

std::string Quoted(const std::set<std::string>& names) {
  return absl::StrJoin(names, ",", [](std::string* out, const std::string& name) { out->append(GoQuote(name)); });
}

HttpAnswer AnswerAll(const std::string& name, const std::vector<HealthCheck>& checks, const HttpRequest& request,
                     Logger& log) {
  std::set<std::string> excluded;
  const auto [first, last] = request.parameters.equal_range("exclude");
  for (auto parameter = first; parameter != last; ++parameter) excluded.insert(parameter->second);

  std::string lines;
  std::set<std::string> unknown = excluded;
  std::vector<std::string> failed;
  for (const HealthCheck& check : checks) {
    if (excluded.contains(check.name)) {
      unknown.erase(check.name);
      absl::StrAppend(&lines, "[+]", check.name, " excluded: ok\n");
    } else if (const absl::Status status = check.check(); status.ok()) {
      absl::StrAppend(&lines, "[+]", check.name, " ok\n");
    } else {
      absl::StrAppend(&lines, "[-]", check.name, " failed: ", status.message(), "\n");
      failed.push_back(check.name);
    }
  }
  if (!unknown.empty()) {
    absl::StrAppend(&lines, "warn: some health checks cannot be excluded: no matches for ", Quoted(unknown), "\n");
  }
  if (!failed.empty()) {
    log.V(2).Info("Health check failed", {{"endpoint", name}, {"checks", failed}, {"output", lines}});
    return {.status = 500, .body = absl::StrCat(lines, name, " check failed\n")};
  }
  if (!request.Has("verbose")) return {.body = "ok"};
  return {.body = absl::StrCat(lines, name, " check passed\n")};
}

HttpAnswer AnswerOne(const std::string& path, const std::vector<HealthCheck>& checks, const HttpRequest& request) {
  for (const HealthCheck& check : checks) {
    if (request.path != absl::StrCat(path, "/", check.name)) continue;
    const absl::Status status = check.check();
    if (status.ok()) return {.body = "ok"};
    return {.status = 500, .body = absl::StrCat("internal server error: ", status.message(), "\n")};
  }
  return {.status = 404, .body = "404 page not found\n"};
}

}  // namespace

HttpPages HealthPages(const std::string& path, std::vector<HealthCheck> checks, Logger& log) {
  if (checks.empty()) checks.push_back({.name = "ping", .check = [] { return absl::OkStatus(); }});
  const auto shared = std::make_shared<const std::vector<HealthCheck>>(std::move(checks));
  return {{path, [name = NameOf(path), shared,
                  &log](const HttpRequest& request) { return AnswerAll(name, *shared, request, log); }},
          {path + "/", [path, shared](const HttpRequest& request) { return AnswerOne(path, *shared, request); }}};
}

}  // namespace kubelet_cm::http
