// A Go slice as far as decoding JSON into it can show: it may be nil, and what an earlier, longer list left behind its
// end comes back when it grows again.
//
// Go decodes a list over the elements that are there: those keep what the new text does not mention. A list that is
// shorter shortens the slice but not its memory. Only a file with the same key twice shows the difference, and then the
// checksum depends on it.
#ifndef KUBELET_CM_COMMON_GOTEXT_GO_SLICE_H_
#define KUBELET_CM_COMMON_GOTEXT_GO_SLICE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace kubelet_cm {

template <typename T, typename Storage = std::vector<T>>
class GoSlice {
 public:
  using value_type = T;
  using const_iterator = typename Storage::const_iterator;

  bool is_nil() const { return nil_; }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const T& operator[](size_t i) const { return elements_[i]; }
  const_iterator begin() const { return elements_.begin(); }
  const_iterator end() const { return elements_.begin() + static_cast<ptrdiff_t>(size_); }

  void SetNil() { *this = GoSlice(); }

  // Not nil from here on, and with these elements.
  void Set(Storage elements) {
    nil_ = false;
    elements_ = std::move(elements);
    size_ = elements_.size();
  }

  void Set(std::initializer_list<T> elements) { Set(Storage(elements)); }
  void Set(std::vector<T> elements) requires(!std::is_same_v<Storage, std::vector<T>>) {
    Set(Storage(std::make_move_iterator(elements.begin()), std::make_move_iterator(elements.end())));
  }

  // Memory for a list of `size` elements that is about to be decoded.
  void Reserve(size_t size) { elements_.reserve(size); }

  // The element to decode into; `i` is at most size(), where the slice grows by one.
  T& Grow(size_t i) {
    nil_ = false;
    if (i == elements_.size()) elements_.resize(i + 1);
    if (i == size_) ++size_;
    return elements_[i];
  }

  // The end of a list of `size` elements. An empty one starts new memory.
  void Finish(size_t size) {
    if (size == 0) Set(Storage());
    size_ = size;
  }

  // Equal elements, and both or neither nil. What lies behind the end does not count.
  friend bool operator==(const GoSlice& a, const GoSlice& b) {
    return a.nil_ == b.nil_ && std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

  // The elements, moved out.
  Storage Take() && {
    elements_.resize(size_);
    return std::move(elements_);
  }

 private:
  bool nil_ = true;
  size_t size_ = 0;
  Storage elements_;  // may be longer than the slice
};

// Go's []byte.
using GoBytes = GoSlice<char, std::string>;

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_GOTEXT_GO_SLICE_H_
