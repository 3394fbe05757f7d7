#include "common/filesystem/fake_disk_image.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "common/filesystem/path.h"
#include "common/status/check.h"

namespace kubelet_cm {
namespace {

// Builds one image from the root down, so that only what can be reached costs choices.
class ImageBuilder {
 public:
  ImageBuilder(const FakeDisk& disk, const PowerCutOptions& options, Chooser choose)
      : disk_(disk), options_(options), choose_(choose) {}

  FakeDisk Build() {
    if (options_.model == PowerCutModel::kOrdered) operations_kept_ = Choose(disk_.pending().size() + 1);
    return FakeDisk(Copy(disk_.root()));
  }

 private:
  size_t Choose(size_t count) {
    const size_t chosen = count < 2 ? 0 : choose_(count);
    CHECK(chosen < count) << "chose " << chosen << " of " << count;
    return chosen;
  }

  std::shared_ptr<FakeInode> Copy(const FakeInode& inode) {
    const auto [known, is_new] = copies_.emplace(&inode, nullptr);  // a file with two names stays one file
    if (!is_new) return known->second;
    const auto copy = known->second = std::make_shared<FakeInode>();
    copy->kind = inode.kind;
    copy->number = inode.number;
    copy->mode = inode.mode;
    copy->modified = inode.modified;
    copy->target = inode.target;
    const size_t outcome = Choose(inode.data.CountOutcomes(options_.block));
    copy->data = FakeFileData(inode.data.Outcome(outcome, options_.block));
    for (const auto& [name, entry] : EntriesLeft(inode)) copy->entries[name] = Copy(*entry);
    copy->durable_entries = copy->entries;
    return copy;
  }

  FakeEntries EntriesLeft(const FakeInode& folder) {
    return options_.model == PowerCutModel::kOrdered ? OrderedEntries(folder) : AnyEntries(folder);
  }

  FakeEntries OrderedEntries(const FakeInode& folder) const {
    FakeEntries entries = folder.durable_entries;
    for (size_t i = 0; i < operations_kept_; ++i) {
      for (const FakeNameChange& change : disk_.pending()[i]) {
        if (change.folder.get() == &folder) ApplyNameChange(change, entries);
      }
    }
    return entries;
  }

  FakeEntries AnyEntries(const FakeInode& folder) {
    FakeEntries entries;
    for (const auto& [name, inodes] : EverythingNamed(folder)) {
      const std::shared_ptr<FakeInode>& inode = inodes[Choose(inodes.size())];
      if (inode != nullptr) entries[name] = inode;
    }
    return entries;
  }

  // The different things that each name in `folder` was since the last sync, the durable one first; null: not there.
  std::map<std::string, std::vector<std::shared_ptr<FakeInode>>> EverythingNamed(const FakeInode& folder) const {
    std::map<std::string, std::vector<std::shared_ptr<FakeInode>>> named;
    for (const auto& [name, inode] : folder.durable_entries) named[name] = {inode};
    for (const FakeNameChanges& record : disk_.pending()) {
      for (const FakeNameChange& change : record) {
        if (change.folder.get() != &folder) continue;
        std::vector<std::shared_ptr<FakeInode>>& inodes = named[change.name];
        if (inodes.empty()) inodes.push_back(nullptr);
        if (std::find(inodes.begin(), inodes.end(), change.inode) == inodes.end()) inodes.push_back(change.inode);
      }
    }
    return named;
  }

  const FakeDisk& disk_;
  const PowerCutOptions& options_;
  const Chooser choose_;
  size_t operations_kept_ = 0;
  std::map<const FakeInode*, std::shared_ptr<FakeInode>> copies_;
};

// Answers like a mileage counter: the runs from the first to the last make every combination of choices once, though
// what there is to choose depends on the choices before.
class Odometer {
 public:
  void Restart() { next_ = 0; }

  size_t Choose(size_t count) {
    if (next_ == digits_.size()) digits_.push_back({.chosen = 0, .count = count});
    CHECK(digits_[next_].count == count) << "the same choices led to another question";
    return digits_[next_++].chosen;
  }

  // False when every combination has been made.
  bool Advance() {
    while (!digits_.empty() && digits_.back().chosen + 1 == digits_.back().count) digits_.pop_back();
    if (digits_.empty()) return false;
    ++digits_.back().chosen;
    return true;
  }

 private:
  struct Digit {
    size_t chosen;
    size_t count;
  };
  std::vector<Digit> digits_;
  size_t next_ = 0;
};

void Describe(const FakeInode& inode, const std::string& path, std::string& text) {
  absl::StrAppendFormat(&text, "%s %d %04o \"%s\" \"%s\"\n", path, static_cast<int>(inode.kind), inode.mode,
                        absl::CEscape(inode.target), absl::CEscape(inode.data.current()));
  for (const auto& [name, entry] : inode.entries) Describe(*entry, JoinPath(path, name), text);
}

}  // namespace

FakeDisk DrawDiskImage(const FakeDisk& disk, const PowerCutOptions& options, Chooser choose) {
  return ImageBuilder(disk, options, choose).Build();
}

absl::StatusOr<std::vector<FakeDisk>> EnumerateDiskImages(const FakeDisk& disk, const PowerCutOptions& options) {
  std::vector<FakeDisk> images;
  std::set<std::string> seen;
  Odometer odometer;
  size_t combinations = 0;
  do {
    if (++combinations > options.max_images) {
      return absl::ResourceExhaustedError(
          absl::StrCat("enumerate disk images: more than ", options.max_images, " combinations"));
    }
    odometer.Restart();
    FakeDisk image = DrawDiskImage(disk, options, [&](size_t count) { return odometer.Choose(count); });
    if (seen.insert(DescribeDisk(image)).second) images.push_back(std::move(image));
  } while (odometer.Advance());
  return images;
}

std::string DescribeDisk(const FakeDisk& disk) {
  std::string text;
  Describe(disk.root(), "/", text);
  return text;
}

}  // namespace kubelet_cm
