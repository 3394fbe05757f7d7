#include "tools/bench/allocation_counter.h"

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace kubelet_cm {
namespace {

std::atomic<int64_t> allocation_count{0};
std::atomic<int64_t> allocation_bytes{0};

void* Allocate(std::size_t size) {
  allocation_count.fetch_add(1, std::memory_order_relaxed);
  allocation_bytes.fetch_add(static_cast<int64_t>(size), std::memory_order_relaxed);
  void* const memory = std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) std::abort();
  return memory;
}

}  // namespace

Allocations CountAllocations(absl::FunctionRef<void()> body) {
  const Allocations before = {.count = allocation_count.load(), .bytes = allocation_bytes.load()};
  body();
  return {.count = allocation_count.load() - before.count, .bytes = allocation_bytes.load() - before.bytes};
}

}  // namespace kubelet_cm

void* operator new(std::size_t size) { return kubelet_cm::Allocate(size); }
void* operator new[](std::size_t size) { return kubelet_cm::Allocate(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return kubelet_cm::Allocate(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return kubelet_cm::Allocate(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
