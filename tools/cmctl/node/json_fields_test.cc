// What `-o json` promises: no field of a message that it shows goes, or gets another name or type.
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "deviceplugin/api/v1beta1.pb.h"
#include "google/protobuf/descriptor.h"
#include "gtest/gtest.h"
#include "kubelet_cm/api/control.pb.h"
#include "kubelet_cm/podresources/api/v1.pb.h"
#include "tools/cmctl/node/node_fixture.h"

namespace kubelet_cm::cmctl {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;

// "kubeletcm.v1.PodView.state: repeated enum kubeletcm.v1.PodState"; of an enum also its values, for JSON has their
// names.
std::string LineOf(const FieldDescriptor& field) {
  std::string type = field.type_name();
  if (field.message_type() != nullptr) absl::StrAppend(&type, " ", field.message_type()->full_name());
  if (field.enum_type() != nullptr) {
    std::vector<std::string> values;
    for (int i = 0; i < field.enum_type()->value_count(); ++i) values.push_back(field.enum_type()->value(i)->name());
    absl::StrAppend(&type, " ", absl::StrJoin(values, "|"));
  }
  return absl::StrCat(field.full_name(), ": ", field.is_repeated() ? "repeated " : "", type);
}

// The fields of the message and of all that is in it.
void AddFields(const Descriptor& message, std::set<std::string>* lines) {
  for (int i = 0; i < message.field_count(); ++i) {
    const FieldDescriptor& field = *message.field(i);
    if (!lines->insert(LineOf(field)).second) return;  // it has been here
    if (field.message_type() != nullptr) AddFields(*field.message_type(), lines);
  }
}

TEST(JsonFieldsTest, NoFieldOfAnAnswerGoesOrIsRenamed) {
  std::set<std::string> now;
  for (const Descriptor* message :
       {v1::ListPodsResponse::descriptor(), v1::NodeResourcesResponse::descriptor(),
        v1::ListPluginsResponse::descriptor(), v1::ListClaimsResponse::descriptor(), v1::Event::descriptor(),
        v1::ExplainResponse::descriptor(), v1::AdmitPodResponse::descriptor(),
        v1::ContainerOptionsResponse::descriptor(), v1::VersionResponse::descriptor(),
        ::v1::ListPodResourcesResponse::descriptor(), ::v1::GetPodResourcesResponse::descriptor(),
        ::v1::AllocatableResourcesResponse::descriptor(), ::v1beta1::DevicePluginOptions::descriptor(),
        ::v1beta1::ListAndWatchResponse::descriptor(), ::v1beta1::AllocateResponse::descriptor(),
        ::v1beta1::PreferredAllocationResponse::descriptor()}) {
    AddFields(*message, &now);
  }
  PosixFileSystem files;
  ASSERT_OK_AND_ASSIGN(const std::string text, ReadFile(files, "tools/cmctl/node/testdata/json_fields.txt", 1 << 20));
  const std::set<std::string> promised = absl::StrSplit(text, '\n', absl::SkipEmpty());
  for (const std::string& line : promised) EXPECT_TRUE(now.count(line) == 1) << "gone: " << line;
  // What is shown today is promised from now on: it belongs into the file.
  for (const std::string& line : now) EXPECT_TRUE(promised.count(line) == 1) << "new: " << line;
}

}  // namespace
}  // namespace kubelet_cm::cmctl
