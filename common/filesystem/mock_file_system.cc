#include "common/filesystem/mock_file_system.h"

#include <utility>

namespace kubelet_cm {

using ::testing::_;
using ::testing::Invoke;

MockFile::MockFile(std::unique_ptr<File> inner) : inner_(std::move(inner)) {
  ON_CALL(*this, Stat()).WillByDefault([this] { return inner_->Stat(); });
  ON_CALL(*this, Read).WillByDefault([this](size_t max_bytes) { return inner_->Read(max_bytes); });
  ON_CALL(*this, Write).WillByDefault([this](absl::string_view bytes) { return inner_->Write(bytes); });
  ON_CALL(*this, WriteAt).WillByDefault([this](uint64_t offset, absl::string_view bytes) {
    return inner_->WriteAt(offset, bytes);
  });
  ON_CALL(*this, Resize).WillByDefault([this](uint64_t size) { return inner_->Resize(size); });
  ON_CALL(*this, Sync).WillByDefault([this] { return inner_->Sync(); });
  ON_CALL(*this, Lock).WillByDefault([this] { return inner_->Lock(); });
  ON_CALL(*this, TakeAlone).WillByDefault([this] { return inner_->TakeAlone(); });
  ON_CALL(*this, Close).WillByDefault([this] { return inner_->Close(); });
}

MockFile::~MockFile() = default;

MockFileSystem::MockFileSystem() {
  ON_CALL(*this, Open(_, _, _)).WillByDefault([this](const std::string& path, OpenMode mode, uint32_t permissions) {
    return fake_.Open(path, mode, permissions);
  });
  ON_CALL(*this, Rename).WillByDefault(Invoke(&fake_, &FakeFileSystem::Rename));
  ON_CALL(*this, Link).WillByDefault(Invoke(&fake_, &FakeFileSystem::Link));
  ON_CALL(*this, Exchange).WillByDefault(Invoke(&fake_, &FakeFileSystem::Exchange));
  ON_CALL(*this, Unlink).WillByDefault(Invoke(&fake_, &FakeFileSystem::Unlink));
  ON_CALL(*this, List).WillByDefault(Invoke(&fake_, &FakeFileSystem::List));
  ON_CALL(*this, Stat).WillByDefault(Invoke(&fake_, &FakeFileSystem::Stat));
  ON_CALL(*this, Lstat).WillByDefault(Invoke(&fake_, &FakeFileSystem::Lstat));
  ON_CALL(*this, MakeFolders).WillByDefault(Invoke(&fake_, &FakeFileSystem::MakeFolders));
  ON_CALL(*this, SyncFolder).WillByDefault(Invoke(&fake_, &FakeFileSystem::SyncFolder));
  ON_CALL(*this, Chmod).WillByDefault(Invoke(&fake_, &FakeFileSystem::Chmod));
}

MockFileSystem::~MockFileSystem() = default;

}  // namespace kubelet_cm
