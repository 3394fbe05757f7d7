// TimelineHtml: a story as one page that needs nothing else: a drawing (SVG) with a lane for the kubelet, each plugin,
// each driver, each device and each claim, a column a step, and the steps in words below. For screens and for paper.
//
// Pure. Whatever a scenario calls its things, it stays text in the page.
#ifndef KUBELET_CM_TESTING_SCENARIOS_TIMELINE_H_
#define KUBELET_CM_TESTING_SCENARIOS_TIMELINE_H_

#include <string>

#include "testing/scenarios/story.h"

namespace kubelet_cm::scenarios {

// `disturbed_by`: what it was played with that is not in its scenario: "kill before operation 7 (...)"; it is in the
// title.
std::string TimelineHtml(const Story& story, const std::string& disturbed_by = "");

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_TIMELINE_H_
