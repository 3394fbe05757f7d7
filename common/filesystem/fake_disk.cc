#include "common/filesystem/fake_disk.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "common/filesystem/path.h"
#include "common/status/errno_status.h"
#include "common/status/status_macros.h"

namespace kubelet_cm {
namespace {

// Linux's limits.
constexpr size_t kMaxNameBytes = 255;
constexpr int kMaxLinks = 40;

absl::Status Error(int error, absl::string_view call, absl::string_view path) {
  return ErrnoStatus(error, absl::StrCat(call, " ", path));
}

bool IsFolder(const FakeInode& inode) { return inode.kind == FileKind::kFolder; }

uint64_t LargestNumber(const FakeInode& inode) {
  uint64_t largest = inode.number;
  for (const auto& [name, entry] : inode.entries) largest = std::max(largest, LargestNumber(*entry));
  return largest;
}

bool Contains(const FakeInode& tree, const FakeInode& inode) {
  if (&tree == &inode) return true;
  return std::any_of(tree.entries.begin(), tree.entries.end(),
                     [&](const auto& entry) { return Contains(*entry.second, inode); });
}

// Why `from` cannot take the place of `to`; 0 when it can.
int RenameError(const FakeInode& from, const FakeInode& to) {
  if (IsFolder(to) && !IsFolder(from)) return EISDIR;
  if (IsFolder(from) && !IsFolder(to)) return ENOTDIR;
  return to.entries.empty() ? 0 : ENOTEMPTY;
}

}  // namespace

FakeDisk::FakeDisk() : root_(NewInode(FileKind::kFolder, 0755)) {}

FakeDisk::FakeDisk(std::shared_ptr<FakeInode> root) : root_(std::move(root)), last_inode_(LargestNumber(*root_)) {}

absl::Time FakeDisk::NextTime() { return absl::UnixEpoch() + absl::Seconds(++changes_); }

std::shared_ptr<FakeInode> FakeDisk::NewInode(FileKind kind, uint32_t mode) {
  auto inode = std::make_shared<FakeInode>();
  inode->kind = kind;
  inode->number = ++last_inode_;
  inode->mode = mode & 07777;
  inode->modified = NextTime();
  return inode;
}

FakeDisk::Place FakeDisk::Locate(absl::string_view path, LastLink last) const {
  if (path.empty()) return {.error = ENOENT};
  std::string rest(path);
  std::vector<std::shared_ptr<FakeInode>> above = {root_};
  int links_left = kMaxLinks;
  for (size_t begin = 0; (begin = rest.find_first_not_of('/', begin)) != std::string::npos;) {
    const size_t end = std::min(rest.find('/', begin), rest.size());
    std::string name = rest.substr(begin, end - begin);
    begin = end;
    const bool is_last = rest.find_first_not_of('/', end) == std::string::npos;
    if (name.size() > kMaxNameBytes) return {.error = ENAMETOOLONG};
    if (name == "..") above.resize(std::max<size_t>(above.size() - 1, 1));
    if (name == "." || name == "..") continue;
    const std::shared_ptr<FakeInode> folder = above.back();
    if (!IsFolder(*folder)) return {.error = ENOTDIR};
    const auto entry = folder->entries.find(name);
    if (entry == folder->entries.end()) {
      if (!is_last) return {.error = ENOENT};
      return {.folder = folder, .name = std::move(name)};
    }
    const std::shared_ptr<FakeInode> inode = entry->second;
    if (inode->kind == FileKind::kSymlink && (!is_last || last == LastLink::kFollow)) {
      if (links_left-- == 0) return {.error = ELOOP};
      rest = absl::StrCat(inode->target, "/", rest.substr(end));
      begin = 0;
      if (inode->target[0] == '/') above.resize(1);
      continue;
    }
    if (is_last) return {.folder = folder, .name = std::move(name), .inode = inode};
    above.push_back(inode);
  }
  return {.inode = above.back()};
}

absl::StatusOr<std::shared_ptr<FakeInode>> FakeDisk::Existing(absl::string_view call, const std::string& path,
                                                              LastLink last) const {
  Place place = Locate(path, last);
  if (place.error == 0 && place.inode == nullptr) place.error = ENOENT;
  if (place.error != 0) return Error(place.error, call, path);
  return place.inode;
}

absl::StatusOr<std::shared_ptr<FakeInode>> FakeDisk::Folder(absl::string_view call, const std::string& path) const {
  ASSIGN_OR_RETURN(std::shared_ptr<FakeInode> inode, Existing(call, path, LastLink::kFollow));
  if (!IsFolder(*inode)) return Error(ENOTDIR, call, path);
  return inode;
}

void FakeDisk::Apply(FakeNameChanges changes) {
  for (const FakeNameChange& change : changes) change.folder->modified = NextTime();
  log_.Apply(std::move(changes));
  ++revision_;
}

absl::StatusOr<std::shared_ptr<FakeInode>> FakeDisk::Open(const std::string& path, OpenMode mode,
                                                          uint32_t permissions) {
  const bool exclusive = mode == OpenMode::kCreateExclusive;
  const bool no_link = mode == OpenMode::kReadWriteNoLink;
  Place place = Locate(path, exclusive || no_link ? LastLink::kKeep : LastLink::kFollow);
  if (place.error != 0) return Error(place.error, "open", path);
  if (no_link && place.inode != nullptr && place.inode->kind == FileKind::kSymlink) return Error(ELOOP, "open", path);
  if (place.inode == nullptr) {
    if (mode != OpenMode::kCreate && !exclusive) return Error(ENOENT, "open", path);
    place.inode = NewInode(FileKind::kRegular, permissions);
    Apply({{place.folder, place.name, place.inode}});
    return place.inode;
  }
  if (exclusive) return Error(EEXIST, "open", path);
  if (place.inode->kind == FileKind::kSocket) return Error(ENXIO, "open", path);
  if (IsFolder(*place.inode) && mode != OpenMode::kRead) return Error(EISDIR, "open", path);
  return place.inode;
}

absl::Status FakeDisk::Rename(const std::string& from, const std::string& to) {
  const std::string both = absl::StrCat(from, " ", to);
  const Place source = Locate(from, LastLink::kKeep);
  const Place target = Locate(to, LastLink::kKeep);
  for (const Place& place : {source, target}) {
    if (place.error != 0) return Error(place.error, "rename", both);
    if (place.folder == nullptr) return Error(EBUSY, "rename", both);
  }
  if (source.inode == nullptr) return Error(ENOENT, "rename", both);
  if (source.inode == target.inode) return absl::OkStatus();
  if (Contains(*source.inode, *target.folder)) return Error(EINVAL, "rename", both);
  if (target.inode != nullptr) {
    if (const int error = RenameError(*source.inode, *target.inode); error != 0) return Error(error, "rename", both);
  }
  Apply({{target.folder, target.name, source.inode}, {source.folder, source.name, nullptr}});
  return absl::OkStatus();
}

absl::Status FakeDisk::Exchange(const std::string& a, const std::string& b) {
  const std::string both = absl::StrCat(a, " ", b);
  const Place first = Locate(a, LastLink::kKeep);
  const Place second = Locate(b, LastLink::kKeep);
  for (const Place& place : {first, second}) {
    if (place.error != 0) return Error(place.error, "exchange", both);
    if (place.folder == nullptr) return Error(EBUSY, "exchange", both);
    if (place.inode == nullptr) return Error(ENOENT, "exchange", both);
  }
  if (first.inode == second.inode) return absl::OkStatus();
  if (Contains(*first.inode, *second.folder) || Contains(*second.inode, *first.folder)) {
    return Error(EINVAL, "exchange", both);
  }
  Apply({{second.folder, second.name, first.inode}, {first.folder, first.name, second.inode}});
  return absl::OkStatus();
}

absl::Status FakeDisk::Link(const std::string& from, const std::string& to) {
  const std::string both = absl::StrCat(from, " ", to);
  const Place source = Locate(from, LastLink::kKeep);
  const Place target = Locate(to, LastLink::kKeep);
  for (const Place& place : {source, target}) {
    if (place.error != 0) return Error(place.error, "link", both);
  }
  if (source.inode == nullptr) return Error(ENOENT, "link", both);
  if (target.inode != nullptr) return Error(EEXIST, "link", both);
  if (IsFolder(*source.inode)) return Error(EPERM, "link", both);
  Apply({{target.folder, target.name, source.inode}});
  return absl::OkStatus();
}

absl::Status FakeDisk::Unlink(const std::string& path) {
  Place place = Locate(path, LastLink::kKeep);
  if (place.error == 0 && place.inode == nullptr) place.error = ENOENT;
  if (place.error == 0 && IsFolder(*place.inode)) place.error = EISDIR;
  if (place.error != 0) return Error(place.error, "unlink", path);
  Apply({{place.folder, place.name, nullptr}});
  return absl::OkStatus();
}

absl::StatusOr<std::vector<std::string>> FakeDisk::List(const std::string& folder) const {
  ASSIGN_OR_RETURN(const std::shared_ptr<FakeInode> inode, Folder("list", folder));
  std::vector<std::string> names;
  for (const auto& [name, entry] : inode->entries) names.push_back(name);
  return names;
}

FileStat FakeDisk::StatOf(const FakeInode& inode) {
  return {.kind = inode.kind,
          .size = inode.data.current().size(),
          .mode = inode.mode,
          .inode = inode.number,
          .modified = inode.modified};
}

absl::StatusOr<FileStat> FakeDisk::Stat(const std::string& path) const {
  ASSIGN_OR_RETURN(const std::shared_ptr<FakeInode> inode, Existing("stat", path, LastLink::kFollow));
  return StatOf(*inode);
}

absl::StatusOr<FileStat> FakeDisk::Lstat(const std::string& path) const {
  ASSIGN_OR_RETURN(const std::shared_ptr<FakeInode> inode, Existing("lstat", path, LastLink::kKeep));
  return StatOf(*inode);
}

absl::Status FakeDisk::MakeFolders(const std::string& folder, uint32_t permissions) {
  Place place = Locate(folder, LastLink::kFollow);
  if (place.error == ENOENT && FolderOf(folder) != folder) {
    RETURN_IF_ERROR(MakeFolders(FolderOf(folder), permissions));
    place = Locate(folder, LastLink::kFollow);
  }
  if (place.error == 0 && place.inode != nullptr && !IsFolder(*place.inode)) place.error = ENOTDIR;
  if (place.error != 0) return Error(place.error, "mkdir", folder);
  if (place.inode == nullptr) Apply({{place.folder, place.name, NewInode(FileKind::kFolder, permissions)}});
  return absl::OkStatus();
}

absl::Status FakeDisk::SyncFolder(const std::string& folder) {
  ASSIGN_OR_RETURN(const std::shared_ptr<FakeInode> inode, Existing("open", folder, LastLink::kFollow));
  if (!IsFolder(*inode)) return Error(ENOTDIR, "open", folder);
  if (log_.SyncFolder(*inode)) ++revision_;
  return absl::OkStatus();
}

absl::Status FakeDisk::Chmod(const std::string& path, uint32_t permissions) {
  ASSIGN_OR_RETURN(const std::shared_ptr<FakeInode> inode, Existing("chmod", path, LastLink::kFollow));
  if (inode->mode != (permissions & 07777)) ++revision_;
  inode->mode = permissions & 07777;
  return absl::OkStatus();
}

void FakeDisk::Write(FakeInode& file, size_t offset, absl::string_view bytes) {
  file.data.Write(offset, bytes);
  file.modified = NextTime();
  ++revision_;
}

void FakeDisk::Resize(FakeInode& file, size_t size) {
  file.data.Resize(size);
  file.modified = NextTime();
  ++revision_;
}

void FakeDisk::Sync(FakeInode& file) {
  if (file.data.Sync()) ++revision_;
}

absl::Status FakeDisk::AddNode(absl::string_view call, const std::string& path, std::shared_ptr<FakeInode> node) {
  Place place = Locate(path, LastLink::kKeep);
  if (place.error == 0 && place.inode != nullptr) place.error = EEXIST;
  if (place.error != 0) return Error(place.error, call, path);
  Apply({{place.folder, place.name, std::move(node)}});
  return absl::OkStatus();
}

absl::Status FakeDisk::AddSocket(const std::string& path) {
  return AddNode("bind", path, NewInode(FileKind::kSocket, 0755));
}

absl::Status FakeDisk::AddSymlink(const std::string& target, const std::string& path) {
  std::shared_ptr<FakeInode> link = NewInode(FileKind::kSymlink, 0777);
  if (target.empty()) return Error(ENOENT, "symlink", path);
  link->target = target;
  return AddNode("symlink", path, std::move(link));
}

absl::Status FakeDisk::EraseTree(const std::string& path) {
  Place place = Locate(path, LastLink::kKeep);
  if (place.error == 0 && place.inode == nullptr) place.error = ENOENT;
  if (place.error == 0 && place.folder == nullptr) place.error = EBUSY;
  if (place.error != 0) return Error(place.error, "erase", path);
  Apply({{place.folder, place.name, nullptr}});
  if (log_.SyncFolder(*place.folder)) ++revision_;
  return absl::OkStatus();
}

void FakeDisk::Settle() {
  log_.SyncAll();
  ++revision_;
  const auto settle = [](const auto& self, FakeInode& inode) -> void {
    inode.data.Sync();
    for (const auto& [name, entry] : inode.entries) self(self, *entry);
  };
  settle(settle, *root_);
}

}  // namespace kubelet_cm
