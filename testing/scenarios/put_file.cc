#include "testing/scenarios/put_file.h"

#include <memory>

#include "common/filesystem/path.h"
#include "common/status/status_macros.h"

namespace kubelet_cm::scenarios {

absl::Status PutFile(FileSystem& files, const std::string& path, const std::string& bytes) {
  RETURN_IF_ERROR(files.MakeFolders(FolderOf(path), 0750));
  const absl::Status removed = files.Unlink(path);
  if (!removed.ok() && !absl::IsNotFound(removed)) return removed;
  ASSIGN_OR_RETURN(const std::unique_ptr<File> file, files.Open(path, OpenMode::kCreateExclusive, 0600));
  RETURN_IF_ERROR(file->Write(bytes));
  return file->Close();
}

}  // namespace kubelet_cm::scenarios
