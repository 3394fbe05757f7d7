// show and verify on the corpora of both kinds of state files, held against what upstream made of each file: the
// sidecars beside them (testdata/README.md of the codecs). The tool looks at a file without being told its version, so
// its word is held against the reader whose own format it recognised, and --kubelet-version against every reader.
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/filesystem/posix_file_system.h"
#include "common/gotext/json_compare.h"
#include "common/gotext/json_document.h"
#include "common/personality/personality.h"
#include "tools/cmctl/checkpoint/show.h"
#include "tools/cmctl/checkpoint/verb_fixture.h"
#include "tools/cmctl/checkpoint/verify.h"

namespace kubelet_cm::cmctl {
namespace {

constexpr std::string_view kSidecar = ".expect.json";
constexpr std::string_view kWithoutSidecars = "real-node";
constexpr size_t kMaxBytes = size_t{16} << 20;

// One kind of state file: its name on a node, its corpus, and the format that a kubelet writes.
struct Kind {
  std::string file_name;
  std::string corpus;
  std::function<std::string(const Personality&)> own_format;
};

const Kind& Devices() {
  static const Kind* const kind =
      new Kind{"kubelet_internal_checkpoint", "deviceplugin/checkpoint/testdata", [](const Personality& kubelet) {
                 // One with two readers may mean another format than its own.
                 const bool one = kubelet.device_writes.has_value() && kubelet.device_reads.size() == 1;
                 return one ? std::string(FormatName(*kubelet.device_writes)) : "";
               }};
  return *kind;
}

const Kind& Claims() {
  static const Kind* const kind =
      new Kind{"dra_manager_state", "dra/checkpoint/testdata", [](const Personality& kubelet) {
                 return kubelet.dra_writes.has_value() ? std::string(FormatName(*kubelet.dra_writes)) : "";
               }};
  return *kind;
}

// Files that say too little for the tool to see whose they are ({} and null, which the first kubelets took), and one of
// 1.27 with another version in it, which 1.27 refuses and 1.28 takes.
bool IsOfSeveralMinds(JsonValue sidecar) {
  const std::string name = JsonText(sidecar, "case");
  return name == "top_empty_object" || name == "top_null" || name == "version_v2";
}

bool Accepts(JsonValue reader) { return FindJson(reader, "accept")->boolean(); }

class GoldenVerbsTest : public VerbFixture {
 protected:
  using Check = std::function<void(const std::string& file, JsonValue sidecar)>;

  // Puts every file where a node has it, and checks it with its sidecar.
  void ForEachFile(const Kind& kind, const Check& check) {
    const auto folders = posix_.List(kind.corpus);
    ASSERT_OK(folders);
    size_t files = 0;
    for (const std::string& folder : *folders) {
      if (folder == kWithoutSidecars || folder.ends_with(".md")) continue;
      const std::string path = absl::StrCat(kind.corpus, "/", folder);
      const auto names = posix_.List(path);
      ASSERT_OK(names);
      for (const std::string& name : *names) {
        if (!name.ends_with(kSidecar)) continue;
        const std::string base = absl::StrCat(path, "/", name.substr(0, name.size() - kSidecar.size()));
        SCOPED_TRACE(base);
        const std::string sidecar = Read(absl::StrCat(base, std::string(kSidecar)));
        const auto document = JsonDocument::Parse(sidecar);
        ASSERT_OK(document);
        check(Put(kind.file_name, Read(absl::StrCat(base, ".json"))), document->root());
        ++files;
      }
    }
    EXPECT_GT(files, 150u);
  }

  std::string Read(const std::string& path) {
    const auto bytes = ReadFile(posix_, path, kMaxBytes);
    EXPECT_OK(bytes);
    return bytes.value_or("");
  }

  std::string Show(const std::string& file, int* code) {
    out_.str("");
    *code = RunShow({.file = file, .output = "json"}, environment_);
    return out();
  }

  int Verify(const std::string& file, const std::string& version) {
    out_.str("");
    return RunVerify({.files = {file}, .kubelet_version = version}, environment_);
  }

  PosixFileSystem posix_;
};

// The reader of a sidecar whose own format this is.
std::optional<JsonValue> ReaderOf(const Kind& kind, JsonValue sidecar, const std::string& format) {
  for (const JsonValue reader : FindJson(sidecar, "readers")->elements()) {
    const auto kubelet = ParsePersonality(JsonText(reader, "reader"));
    if (kubelet.ok() && kind.own_format(**kubelet) == format) return reader;
  }
  return std::nullopt;
}

// What a reader decoded; some sidecars say that it is what the first one did, or leave it out.
std::optional<JsonValue> ContentOf(JsonValue sidecar, JsonValue reader) {
  const std::string_view field = Accepts(reader) ? "content" : "decodedButRejected";
  const std::optional<JsonValue> content = FindJson(reader, field);
  if (!content.has_value() || content->type() == JsonType::kObject) return content;
  if (content->text() != "same as the first reader") return std::nullopt;
  for (const JsonValue other : FindJson(sidecar, "readers")->elements()) {
    for (const std::string_view name : {"content", "decodedButRejected"}) {
      const auto found = FindJson(other, name);
      if (found.has_value() && found->type() == JsonType::kObject) return found;
    }
  }
  return std::nullopt;
}

// Of devices: before checksums every object was accepted, and what was not known passed over.
bool FindsNothing(JsonValue sidecar, JsonValue reader) {
  const auto content = ContentOf(sidecar, reader);
  const auto entries = content.has_value() ? FindJson(*content, "entries") : std::nullopt;
  return entries.has_value() && entries->size() == 0;
}

// How many files' contents were compared.
size_t CompareShown(const Kind& kind, const std::string& shown_text, int code, JsonValue sidecar) {
  const auto shown = JsonDocument::Parse(shown_text);
  if (!shown.ok()) {
    ADD_FAILURE() << shown.status() << " in " << shown_text;
    return 0;
  }
  const JsonValue root = shown->root();
  const auto reader = ReaderOf(kind, sidecar, JsonText(root, "format"));
  if (!reader.has_value() || IsOfSeveralMinds(sidecar)) return 0;
  EXPECT_EQ(FindJson(root, "valid")->boolean(), Accepts(*reader)) << shown_text;
  EXPECT_EQ(code, Accepts(*reader) ? kOk : kCorrupt) << shown_text;
  EXPECT_EQ(FindJson(root, "problems")->size() == 0, Accepts(*reader)) << shown_text;
  // Of claims the sidecar has the sum that the reader would write.
  const std::string checksum = &kind == &Devices() ? JsonText(*reader, "computedChecksum") : "";
  EXPECT_TRUE(checksum.empty() || FindJson(root, "computedChecksum")->literal() == checksum) << shown_text;
  const auto wanted = ContentOf(sidecar, *reader);
  if (!wanted.has_value()) return 0;
  EXPECT_TRUE(SameJson(*FindJson(root, "content"), *wanted)) << shown_text << "\nwanted " << wanted->literal();
  return 1;
}

TEST_F(GoldenVerbsTest, ShowSaysOfDevicesWhatTheirKubeletRead) {
  size_t compared = 0;
  ForEachFile(Devices(), [&](const std::string& file, JsonValue sidecar) {
    int code = 0;
    const std::string shown = Show(file, &code);
    compared += CompareShown(Devices(), shown, code, sidecar);
  });
  EXPECT_GT(compared, 500u);
}

TEST_F(GoldenVerbsTest, ShowSaysOfClaimsWhatTheirKubeletRead) {
  size_t compared = 0;
  ForEachFile(Claims(), [&](const std::string& file, JsonValue sidecar) {
    int code = 0;
    const std::string shown = Show(file, &code);
    compared += CompareShown(Claims(), shown, code, sidecar);
  });
  EXPECT_GT(compared, 80u);
}

// 0 for what the kubelet of that version took; for what it did not 4 if the file is sound, else 3, or 6 for what looks
// like another program's file.
void CompareVerdict(const std::function<int(const std::string& version)>& verify, JsonValue sidecar) {
  const int plain = verify("");
  for (const JsonValue reader : FindJson(sidecar, "readers")->elements()) {
    const std::string version = JsonText(reader, "reader");
    const int code = verify(version);
    if (!Accepts(reader)) {
      EXPECT_EQ(code, plain == kOk ? kNotReadable : plain) << version;
      EXPECT_TRUE(plain == kOk || plain == kCorrupt || plain == kFailed) << plain;
    } else if (code != kNotReadable || !FindsNothing(sidecar, reader)) {
      EXPECT_EQ(code, kOk) << version;
    }
  }
}

TEST_F(GoldenVerbsTest, VerifySaysOfDevicesWhatEveryKubeletSaid) {
  ForEachFile(Devices(), [&](const std::string& file, JsonValue sidecar) {
    CompareVerdict([&](const std::string& version) { return Verify(file, version); }, sidecar);
  });
}

TEST_F(GoldenVerbsTest, VerifySaysOfClaimsWhatEveryKubeletSaid) {
  ForEachFile(Claims(), [&](const std::string& file, JsonValue sidecar) {
    CompareVerdict([&](const std::string& version) { return Verify(file, version); }, sidecar);
  });
}

}  // namespace
}  // namespace kubelet_cm::cmctl
