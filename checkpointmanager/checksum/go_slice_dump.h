// Lets GoDump print a GoSlice as the Go slice that it stands for: nil or a list. For a GoBytes there is
// GoDump::BytesField, which prints numbers.
#ifndef KUBELET_CM_CHECKPOINTMANAGER_CHECKSUM_GO_SLICE_DUMP_H_
#define KUBELET_CM_CHECKPOINTMANAGER_CHECKSUM_GO_SLICE_DUMP_H_

#include <type_traits>

#include "checkpointmanager/checksum/go_dump.h"
#include "common/gotext/go_slice.h"

namespace kubelet_cm {

template <typename T, typename Storage>
void PrintGo(GoDump& dump, const GoSlice<T, Storage>& slice) {
  static_assert(!std::is_same_v<T, char>, "bytes are printed by GoDump::BytesField");
  if (slice.is_nil()) return dump.Nil();
  dump.List(slice, [&dump](const T& element) { dump.Value(element); });
}

// A slice of which `print(element)` prints the elements; refers to the slice.
template <typename T, typename Storage, typename PrintElement>
struct PrintedSlice {
  PrintedSlice(const GoSlice<T, Storage>& elements, PrintElement print_element)
      : slice(elements), print(print_element) {}

  const GoSlice<T, Storage>& slice;
  PrintElement print;
};

template <typename T, typename Storage, typename PrintElement>
void PrintGo(GoDump& dump, const PrintedSlice<T, Storage, PrintElement>& printed) {
  printed.slice.is_nil() ? dump.Nil() : dump.List(printed.slice, printed.print);
}

}  // namespace kubelet_cm

#endif  // KUBELET_CM_CHECKPOINTMANAGER_CHECKSUM_GO_SLICE_DUMP_H_
