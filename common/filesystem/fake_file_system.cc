#include "common/filesystem/fake_file_system.h"

#include <cerrno>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status/errno_status.h"
#include "common/status/status_macros.h"

namespace kubelet_cm {

// An open file. Its inode and the disk are guarded by the file system's mutex, the rest is its user's own.
class FakeFile : public File {
 public:
  FakeFile(FakeFileSystem& file_system, std::string path, OpenMode mode, std::shared_ptr<FakeInode> inode,
           uint64_t incarnation)
      : file_system_(file_system),
        path_(std::move(path)),
        writable_(mode != OpenMode::kRead),
        incarnation_(incarnation),
        inode_(std::move(inode)) {}

  ~FakeFile() override { Close().IgnoreError(); }

  absl::StatusOr<FileStat> Stat() override {
    MutexLock lock(&file_system_.mu_);
    RETURN_IF_ERROR(CheckAlive("fstat"));
    return FakeDisk::StatOf(*inode_);
  }

  absl::StatusOr<std::string> Read(size_t max_bytes) override {
    MutexLock lock(&file_system_.mu_);
    RETURN_IF_ERROR(CheckAlive("read"));
    if (inode_->kind == FileKind::kFolder) return ErrnoStatus(EISDIR, absl::StrCat("read ", path_));
    const std::string& bytes = inode_->data.current();
    if (position_ >= bytes.size()) return std::string();
    std::string result = bytes.substr(position_, max_bytes);
    position_ += result.size();
    return result;
  }

  absl::Status Write(absl::string_view bytes) override {
    MutexLock lock(&file_system_.mu_);
    RETURN_IF_ERROR(CheckWritable("write"));
    file_system_.disk_.Write(*inode_, position_, bytes);
    position_ += bytes.size();
    return absl::OkStatus();
  }

  absl::Status WriteAt(uint64_t offset, absl::string_view bytes) override {
    MutexLock lock(&file_system_.mu_);
    RETURN_IF_ERROR(CheckWritable("write"));
    file_system_.disk_.Write(*inode_, offset, bytes);
    return absl::OkStatus();
  }

  absl::Status Resize(uint64_t size) override {
    MutexLock lock(&file_system_.mu_);
    RETURN_IF_ERROR(CheckAlive("truncate"));
    if (!writable_) return ErrnoStatus(EINVAL, absl::StrCat("truncate ", path_));
    file_system_.disk_.Resize(*inode_, size);
    return absl::OkStatus();
  }

  absl::Status Sync() override {
    MutexLock lock(&file_system_.mu_);
    RETURN_IF_ERROR(CheckAlive("fsync"));
    file_system_.disk_.Sync(*inode_);
    return absl::OkStatus();
  }

  absl::Status Lock() override {
    MutexLock lock(&file_system_.mu_);
    RETURN_IF_ERROR(CheckAlive("flock"));
    const auto [holder, taken] = file_system_.locks_.emplace(inode_.get(), this);
    if (!taken && holder->second != this) return ErrnoStatus(EWOULDBLOCK, absl::StrCat("flock ", path_));
    return absl::OkStatus();
  }

  absl::Status TakeAlone() override {
    MutexLock lock(&file_system_.mu_);
    RETURN_IF_ERROR(CheckAlive("lease"));
    if (file_system_.open_[inode_.get()] > 1) return ErrnoStatus(EWOULDBLOCK, absl::StrCat("lease ", path_));
    file_system_.taken_.insert(inode_.get());
    has_lease_ = true;
    return absl::OkStatus();
  }

  absl::Status Close() override {
    MutexLock lock(&file_system_.mu_);
    const absl::Status alive = CheckAlive("close");
    if (alive.ok()) {
      if (--file_system_.open_[inode_.get()] == 0) file_system_.open_.erase(inode_.get());
      if (has_lease_) file_system_.taken_.erase(inode_.get());
      const auto holder = file_system_.locks_.find(inode_.get());
      if (holder != file_system_.locks_.end() && holder->second == this) file_system_.locks_.erase(holder);
    }
    inode_ = nullptr;
    return alive;
  }

 private:
  absl::Status CheckAlive(absl::string_view call) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(file_system_.mu_) {
    if (inode_ != nullptr && incarnation_ == file_system_.incarnation_) return absl::OkStatus();
    return ErrnoStatus(EBADF, absl::StrCat(call, " ", path_));
  }

  absl::Status CheckWritable(absl::string_view call) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(file_system_.mu_) {
    RETURN_IF_ERROR(CheckAlive(call));
    if (!writable_) return ErrnoStatus(EBADF, absl::StrCat(call, " ", path_));
    return absl::OkStatus();
  }

  FakeFileSystem& file_system_;
  const std::string path_;
  const bool writable_;
  const uint64_t incarnation_;
  std::shared_ptr<FakeInode> inode_;  // null once closed
  size_t position_ = 0;
  bool has_lease_ = false;
};

absl::StatusOr<std::unique_ptr<File>> FakeFileSystem::Open(const std::string& path, OpenMode mode,
                                                           uint32_t permissions) {
  MutexLock lock(&mu_);
  ASSIGN_OR_RETURN(std::shared_ptr<FakeInode> inode, disk_.Open(path, mode, permissions));
  if (taken_.contains(inode.get())) return ErrnoStatus(EWOULDBLOCK, absl::StrCat("open ", path));
  ++open_[inode.get()];
  return std::make_unique<FakeFile>(*this, path, mode, std::move(inode), incarnation_);
}

absl::Status FakeFileSystem::Rename(const std::string& from, const std::string& to) {
  MutexLock lock(&mu_);
  return disk_.Rename(from, to);
}

absl::Status FakeFileSystem::Exchange(const std::string& a, const std::string& b) {
  MutexLock lock(&mu_);
  return disk_.Exchange(a, b);
}

absl::Status FakeFileSystem::Link(const std::string& from, const std::string& to) {
  MutexLock lock(&mu_);
  return disk_.Link(from, to);
}

absl::Status FakeFileSystem::Unlink(const std::string& path) {
  MutexLock lock(&mu_);
  return disk_.Unlink(path);
}

absl::StatusOr<std::vector<std::string>> FakeFileSystem::List(const std::string& folder) {
  MutexLock lock(&mu_);
  return disk_.List(folder);
}

absl::StatusOr<FileStat> FakeFileSystem::Stat(const std::string& path) {
  MutexLock lock(&mu_);
  return disk_.Stat(path);
}

absl::StatusOr<FileStat> FakeFileSystem::Lstat(const std::string& path) {
  MutexLock lock(&mu_);
  return disk_.Lstat(path);
}

absl::Status FakeFileSystem::MakeFolders(const std::string& folder, uint32_t permissions) {
  MutexLock lock(&mu_);
  return disk_.MakeFolders(folder, permissions);
}

absl::Status FakeFileSystem::SyncFolder(const std::string& folder) {
  MutexLock lock(&mu_);
  return disk_.SyncFolder(folder);
}

absl::Status FakeFileSystem::Chmod(const std::string& path, uint32_t permissions) {
  MutexLock lock(&mu_);
  return disk_.Chmod(path, permissions);
}

void FakeFileSystem::ForgetOpenFiles() {
  ++incarnation_;
  locks_.clear();
  open_.clear();
  taken_.clear();
}

void FakeFileSystem::KillProcess() {
  MutexLock lock(&mu_);
  ForgetOpenFiles();
}

absl::StatusOr<std::vector<std::unique_ptr<FakeFileSystem>>> FakeFileSystem::AfterPowerCut(
    const PowerCutOptions& options) const {
  MutexLock lock(&mu_);
  ASSIGN_OR_RETURN(std::vector<FakeDisk> images, EnumerateDiskImages(disk_, options));
  std::vector<std::unique_ptr<FakeFileSystem>> file_systems;
  for (FakeDisk& image : images) file_systems.push_back(std::make_unique<FakeFileSystem>(std::move(image)));
  return file_systems;
}

void FakeFileSystem::CutPower(const PowerCutOptions& options, Chooser choose) {
  MutexLock lock(&mu_);
  disk_ = DrawDiskImage(disk_, options, choose);
  ForgetOpenFiles();
}

void FakeFileSystem::Settle() {
  MutexLock lock(&mu_);
  disk_.Settle();
}

absl::Status FakeFileSystem::AddSocket(const std::string& path) {
  MutexLock lock(&mu_);
  return disk_.AddSocket(path);
}

absl::Status FakeFileSystem::AddSymlink(const std::string& target, const std::string& path) {
  MutexLock lock(&mu_);
  return disk_.AddSymlink(target, path);
}

absl::Status FakeFileSystem::EraseTree(const std::string& path) {
  MutexLock lock(&mu_);
  return disk_.EraseTree(path);
}

uint64_t FakeFileSystem::revision() const {
  MutexLock lock(&mu_);
  return disk_.revision();
}

std::string FakeFileSystem::Describe() const {
  MutexLock lock(&mu_);
  return DescribeDisk(disk_);
}

}  // namespace kubelet_cm
