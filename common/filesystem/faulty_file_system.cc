#include "common/filesystem/faulty_file_system.h"

#include <cstddef>
#include <utility>

#include "absl/strings/string_view.h"
#include "common/status/check.h"

namespace kubelet_cm {
namespace {

// An operation between FaultPlan::Begin and End.
class Attempt {
 public:
  Attempt(FaultPlan& plan, const FileOperation& operation) : plan_(plan), verdict_(plan.Begin(operation)) {}
  ~Attempt() { plan_.End(); }
  Attempt(const Attempt&) = delete;
  Attempt& operator=(const Attempt&) = delete;

  const FaultPlan::Verdict& verdict() const { return verdict_; }

  template <typename Perform>
  absl::Status Run(Perform perform) {
    const absl::Status performed = verdict_.perform ? perform() : absl::OkStatus();
    return verdict_.result.ok() ? performed : verdict_.result;
  }

  template <typename Value, typename Perform>
  absl::StatusOr<Value> RunFor(Perform perform) {
    CHECK(verdict_.perform || !verdict_.result.ok()) << "an operation that returns a value cannot be skipped";
    if (!verdict_.perform) return verdict_.result;
    absl::StatusOr<Value> performed = perform();
    if (!verdict_.result.ok()) return verdict_.result;
    return performed;
  }

 private:
  FaultPlan& plan_;
  const FaultPlan::Verdict verdict_;
};

class FaultyFile : public File {
 public:
  FaultyFile(std::unique_ptr<File> inner, FaultPlan& plan, std::string path)
      : inner_(std::move(inner)), plan_(plan), path_(std::move(path)) {}

  absl::StatusOr<FileStat> Stat() override {
    return Attempt(plan_, {FileOp::kStat, path_}).RunFor<FileStat>([&] { return inner_->Stat(); });
  }

  absl::StatusOr<std::string> Read(size_t max_bytes) override {
    return Attempt(plan_, {FileOp::kRead, path_}).RunFor<std::string>([&] { return inner_->Read(max_bytes); });
  }

  absl::Status Write(absl::string_view bytes) override {
    Attempt attempt(plan_, {.op = FileOp::kWrite, .path = path_, .bytes = bytes.size()});
    if (attempt.verdict().bytes_written > 0) {
      const absl::Status partial = inner_->Write(bytes.substr(0, attempt.verdict().bytes_written));
      if (!partial.ok()) return partial;
    }
    return attempt.Run([&] { return inner_->Write(bytes); });
  }

  absl::Status WriteAt(uint64_t offset, absl::string_view bytes) override {
    Attempt attempt(plan_, {.op = FileOp::kWriteAt, .path = path_, .bytes = bytes.size()});
    if (attempt.verdict().bytes_written > 0) {
      const absl::Status partial = inner_->WriteAt(offset, bytes.substr(0, attempt.verdict().bytes_written));
      if (!partial.ok()) return partial;
    }
    return attempt.Run([&] { return inner_->WriteAt(offset, bytes); });
  }

  absl::Status Resize(uint64_t size) override {
    return Attempt(plan_, {FileOp::kResize, path_}).Run([&] { return inner_->Resize(size); });
  }

  absl::Status Sync() override {
    return Attempt(plan_, {FileOp::kSyncFile, path_}).Run([&] { return inner_->Sync(); });
  }

  absl::Status Lock() override {
    return Attempt(plan_, {FileOp::kLock, path_}).Run([&] { return inner_->Lock(); });
  }

  absl::Status TakeAlone() override {
    return Attempt(plan_, {FileOp::kTakeAlone, path_}).Run([&] { return inner_->TakeAlone(); });
  }

  absl::Status Close() override {
    Attempt attempt(plan_, {FileOp::kClose, path_});
    const absl::Status closed = inner_->Close();  // whatever it returns, a close closes
    return attempt.verdict().result.ok() ? closed : attempt.verdict().result;
  }

 private:
  const std::unique_ptr<File> inner_;
  FaultPlan& plan_;
  const std::string path_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<File>> FaultyFileSystem::Open(const std::string& path, OpenMode mode,
                                                             uint32_t permissions) {
  auto opened = Attempt(plan_, {FileOp::kOpen, path}).RunFor<std::unique_ptr<File>>([&] {
    return inner_.Open(path, mode, permissions);
  });
  if (!opened.ok()) return opened;
  return std::make_unique<FaultyFile>(*std::move(opened), plan_, path);
}

absl::Status FaultyFileSystem::Rename(const std::string& from, const std::string& to) {
  return Attempt(plan_, {FileOp::kRename, from, to}).Run([&] { return inner_.Rename(from, to); });
}

absl::Status FaultyFileSystem::Exchange(const std::string& a, const std::string& b) {
  return Attempt(plan_, {FileOp::kExchange, a, b}).Run([&] { return inner_.Exchange(a, b); });
}

absl::Status FaultyFileSystem::Link(const std::string& from, const std::string& to) {
  return Attempt(plan_, {FileOp::kLink, from, to}).Run([&] { return inner_.Link(from, to); });
}

absl::Status FaultyFileSystem::Unlink(const std::string& path) {
  return Attempt(plan_, {FileOp::kUnlink, path}).Run([&] { return inner_.Unlink(path); });
}

absl::StatusOr<std::vector<std::string>> FaultyFileSystem::List(const std::string& folder) {
  return Attempt(plan_, {FileOp::kList, folder}).RunFor<std::vector<std::string>>([&] { return inner_.List(folder); });
}

absl::StatusOr<FileStat> FaultyFileSystem::Stat(const std::string& path) {
  return Attempt(plan_, {FileOp::kStat, path}).RunFor<FileStat>([&] { return inner_.Stat(path); });
}

absl::StatusOr<FileStat> FaultyFileSystem::Lstat(const std::string& path) {
  return Attempt(plan_, {FileOp::kLstat, path}).RunFor<FileStat>([&] { return inner_.Lstat(path); });
}

absl::Status FaultyFileSystem::MakeFolders(const std::string& folder, uint32_t permissions) {
  return Attempt(plan_, {FileOp::kMakeFolders, folder}).Run([&] { return inner_.MakeFolders(folder, permissions); });
}

absl::Status FaultyFileSystem::SyncFolder(const std::string& folder) {
  return Attempt(plan_, {FileOp::kSyncFolder, folder}).Run([&] { return inner_.SyncFolder(folder); });
}

absl::Status FaultyFileSystem::Chmod(const std::string& path, uint32_t permissions) {
  return Attempt(plan_, {FileOp::kChmod, path}).Run([&] { return inner_.Chmod(path, permissions); });
}

}  // namespace kubelet_cm
