// What a power cut may leave of a FakeDisk: the disk images.
//
// For the bytes of files: FakeFileData says it. For names, two models:
//   kOrdered    the operations that are not durable survive up to some moment and none later (a journal);
//   kAnySubset  every name, by itself, is anything that it was since its folder was last synced. This covers kOrdered,
//               every subset of the operations, and a rename of which only one half arrived (both names, or neither
//               name when the halves are in two folders): a name is still the old file or the new one, never a mix.
// A file's bytes are chosen independently of its name: fsync of the file makes durable the bytes, not the name.
// Modes and times survive as they are. What no path leads to is gone.
#ifndef KUBELET_CM_COMMON_FILESYSTEM_FAKE_DISK_IMAGE_H_
#define KUBELET_CM_COMMON_FILESYSTEM_FAKE_DISK_IMAGE_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "common/filesystem/fake_disk.h"

namespace kubelet_cm {

enum class PowerCutModel { kOrdered, kAnySubset };

struct PowerCutOptions {
  PowerCutModel model = PowerCutModel::kAnySubset;
  size_t block = 64;            // bytes of a write that arrive or are lost together
  size_t max_images = 100'000;  // what EnumerateDiskImages gives up at
};

// Chooses one of `count` possibilities: a number below it. Asked only when there are two or more.
using Chooser = absl::FunctionRef<size_t(size_t count)>;

// One image of `disk`, all of it durable: `choose` decides what survives. A seeded random choice draws an image.
FakeDisk DrawDiskImage(const FakeDisk& disk, const PowerCutOptions& options, Chooser choose);

// Every image, each once: images are the same when the same paths have the same kinds, modes and contents. The first is
// the one in which only the durable is left. kResourceExhausted when more than `max_images` combinations of choices
// would have to be looked at. Their number is the product, over the reachable files, of their outcomes and, over the
// names, of the different things that each of them was.
absl::StatusOr<std::vector<FakeDisk>> EnumerateDiskImages(const FakeDisk& disk, const PowerCutOptions& options);

// Everything about a disk that tells images apart, as text: a line per path.
std::string DescribeDisk(const FakeDisk& disk);

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_FILESYSTEM_FAKE_DISK_IMAGE_H_
