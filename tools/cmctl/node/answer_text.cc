#include "tools/cmctl/node/answer_text.h"

#include <memory>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "common/status/status_macros.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "google/protobuf/util/json_util.h"
#include "google/protobuf/util/type_resolver.h"
#include "google/protobuf/util/type_resolver_util.h"
#include "tools/cmctl/checkpoint/state_json.h"
#include "tools/cmctl/checkpoint/terminal_text.h"

namespace kubelet_cm::cmctl {
namespace {

constexpr char kTypes[] = "type.googleapis.com";

std::string SortedBytes(const google::protobuf::Message& message) {
  std::string bytes;
  google::protobuf::io::StringOutputStream stream(&bytes);
  google::protobuf::io::CodedOutputStream output(&stream);
  output.SetSerializationDeterministic(true);
  message.SerializeToCodedStream(&output);
  output.Trim();
  return bytes;
}

}  // namespace

absl::StatusOr<std::string> AnswerJson(const google::protobuf::Message& message) {
  const std::unique_ptr<google::protobuf::util::TypeResolver> types(
      google::protobuf::util::NewTypeResolverForDescriptorPool(kTypes, message.GetDescriptor()->file()->pool()));
  google::protobuf::util::JsonPrintOptions options;
  options.preserve_proto_field_names = true;
  options.always_print_primitive_fields = true;
  std::string json;
  const auto written = google::protobuf::util::BinaryToJsonString(
      types.get(), absl::StrCat(kTypes, "/", message.GetTypeName()), SortedBytes(message), &json, options);
  if (!written.ok()) return absl::InternalError(absl::StrCat("the answer is no JSON: ", written.ToString()));
  return PrintableJson(json);
}

absl::StatusOr<std::string> AnswerText(const google::protobuf::Message& message, const std::string& format) {
  ASSIGN_OR_RETURN(const std::string json, AnswerJson(message));
  return format == "yaml" ? YamlOf(json) : IndentedJson(json);
}

}  // namespace kubelet_cm::cmctl
