#include "kubelet_cm/http/health_server.h"

#include <utility>

namespace kubelet_cm::http {
namespace {

constexpr char kText[] = "text/plain; charset=utf-8";

void AddPage(const std::string& path, const std::string& content_type, std::function<std::string()> content,
             HttpPages* pages) {
  if (content == nullptr) return;
  (*pages)[path] = [content_type, content = std::move(content)](const HttpRequest&) {
    return HttpAnswer{.content_type = content_type, .body = content()};
  };
}

}  // namespace

absl::StatusOr<std::unique_ptr<HttpServer>> NewHealthServer(Threads& threads, Logger& log, HealthServerPages pages,
                                                            const HttpServerOptions& options) {
  HttpPages all = HealthPages("/healthz", std::move(pages.healthz), log);
  for (auto& page : HealthPages("/readyz", std::move(pages.readyz), log)) all.insert(page);
  AddPage("/metrics", "text/plain; version=0.0.4; charset=utf-8", std::move(pages.metrics), &all);
  AddPage("/configz", "application/json", std::move(pages.configz), &all);
  AddPage("/statusz", kText, std::move(pages.statusz), &all);
  AddPage("/flagz", kText, std::move(pages.flagz), &all);
  return HttpServer::Bind(threads, log, std::move(all), options);
}

}  // namespace kubelet_cm::http
