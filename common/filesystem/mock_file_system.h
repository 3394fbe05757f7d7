// MockFileSystem and MockFile: for tests that expect calls, or replace some of them.
//
//   NiceMock<MockFileSystem> fs;                      // a FakeFileSystem behind it does what is not replaced
//   EXPECT_CALL(fs, SyncFolder("/state")).WillOnce(Return(ErrnoStatus(EIO, "fsync /state")));
//
// For faults at the n-th operation, or by pattern, FaultyFileSystem is shorter.
#ifndef KUBELET_CM_COMMON_FILESYSTEM_MOCK_FILE_SYSTEM_H_
#define KUBELET_CM_COMMON_FILESYSTEM_MOCK_FILE_SYSTEM_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "common/filesystem/fake_file_system.h"
#include "common/filesystem/file_system.h"
#include "gmock/gmock.h"

namespace kubelet_cm {

// Passes on to the file that it is given what is not replaced.
class MockFile : public File {
 public:
  explicit MockFile(std::unique_ptr<File> inner);
  ~MockFile() override;

  MOCK_METHOD(absl::StatusOr<FileStat>, Stat, (), (override));
  MOCK_METHOD(absl::StatusOr<std::string>, Read, (size_t max_bytes), (override));
  MOCK_METHOD(absl::Status, Write, (absl::string_view bytes), (override));
  MOCK_METHOD(absl::Status, WriteAt, (uint64_t offset, absl::string_view bytes), (override));
  MOCK_METHOD(absl::Status, Resize, (uint64_t size), (override));
  MOCK_METHOD(absl::Status, Sync, (), (override));
  MOCK_METHOD(absl::Status, Lock, (), (override));
  MOCK_METHOD(absl::Status, TakeAlone, (), (override));
  MOCK_METHOD(absl::Status, Close, (), (override));

 private:
  const std::unique_ptr<File> inner_;
};

// Thread-safe as far as gMock is: expectations are set before other threads call.
class MockFileSystem : public FileSystem {
 public:
  MockFileSystem();
  ~MockFileSystem() override;

  // What stands behind it: for setting up, and for looking at the outcome, without calls being counted.
  FakeFileSystem& fake() { return fake_; }

  using FileSystem::Open;
  MOCK_METHOD(absl::StatusOr<std::unique_ptr<File>>, Open,
              (const std::string& path, OpenMode mode, uint32_t permissions), (override));
  MOCK_METHOD(absl::Status, Rename, (const std::string& from, const std::string& to), (override));
  MOCK_METHOD(absl::Status, Exchange, (const std::string& a, const std::string& b), (override));
  MOCK_METHOD(absl::Status, Link, (const std::string& from, const std::string& to), (override));
  MOCK_METHOD(absl::Status, Unlink, (const std::string& path), (override));
  MOCK_METHOD(absl::StatusOr<std::vector<std::string>>, List, (const std::string& folder), (override));
  MOCK_METHOD(absl::StatusOr<FileStat>, Stat, (const std::string& path), (override));
  MOCK_METHOD(absl::StatusOr<FileStat>, Lstat, (const std::string& path), (override));
  MOCK_METHOD(absl::Status, MakeFolders, (const std::string& folder, uint32_t permissions), (override));
  MOCK_METHOD(absl::Status, SyncFolder, (const std::string& folder), (override));
  MOCK_METHOD(absl::Status, Chmod, (const std::string& path, uint32_t permissions), (override));

 private:
  FakeFileSystem fake_;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_FILESYSTEM_MOCK_FILE_SYSTEM_H_
