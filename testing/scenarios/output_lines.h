// OutputLines: what programs have said that ran one after the other, taken line by line.
//
// For one thread.
#ifndef KUBELET_CM_TESTING_SCENARIOS_OUTPUT_LINES_H_
#define KUBELET_CM_TESTING_SCENARIOS_OUTPUT_LINES_H_

#include <string>
#include <string_view>
#include <vector>

namespace kubelet_cm::scenarios {

class OutputLines {
 public:
  // What the program that runs has said since.
  void Add(std::string_view output) { text_.append(output); }
  // It is gone: what it has not ended with a newline is a line.
  void EndLine();
  // The lines that were not taken yet. What has no newline is left for later.
  std::vector<std::string> Take();

 private:
  std::string text_;
};

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_OUTPUT_LINES_H_
