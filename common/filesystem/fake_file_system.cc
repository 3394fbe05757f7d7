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
    RETURN_IF_ERROR(CheckAlive("write"));
    if (!writable_) return ErrnoStatus(EBADF, absl::StrCat("write ", path_));
    file_system_.disk_.Write(*inode_, position_, bytes);
    position_ += bytes.size();
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

  absl::Status Close() override {
    MutexLock lock(&file_system_.mu_);
    const absl::Status alive = CheckAlive("close");
    if (alive.ok()) {
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

  FakeFileSystem& file_system_;
  const std::string path_;
  const bool writable_;
  const uint64_t incarnation_;
  std::shared_ptr<FakeInode> inode_;  // null once closed
  size_t position_ = 0;
};

absl::StatusOr<std::unique_ptr<File>> FakeFileSystem::Open(const std::string& path, OpenMode mode,
                                                           uint32_t permissions) {
  MutexLock lock(&mu_);
  ASSIGN_OR_RETURN(std::shared_ptr<FakeInode> inode, disk_.Open(path, mode, permissions));
  return std::make_unique<FakeFile>(*this, path, mode, std::move(inode), incarnation_);
}

absl::Status FakeFileSystem::Rename(const std::string& from, const std::string& to) {
  MutexLock lock(&mu_);
  return disk_.Rename(from, to);
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

void FakeFileSystem::KillProcess() {
  MutexLock lock(&mu_);
  ++incarnation_;
  locks_.clear();
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
  ++incarnation_;
  locks_.clear();
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
