#include "checkpointmanager/checksum/crc32.h"

#include "libdeflate.h"
#include "zlib.h"

namespace kubelet_cm {

// libdeflate computes 3.5 times as fast as zlib and cannot combine; zlib can.
uint32_t Crc32(std::string_view bytes, uint32_t before) {
  // A null buffer would mean "start anew".
  if (bytes.empty()) return before;
  return libdeflate_crc32(before, bytes.data(), bytes.size());
}

uint32_t ConcatCrc32(uint32_t left, uint32_t right, size_t right_size) {
  return static_cast<uint32_t>(crc32_combine(left, right, static_cast<z_off_t>(right_size)));
}

}  // namespace kubelet_cm
