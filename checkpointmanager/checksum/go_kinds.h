// Which kind of Go value a C++ type stands for in a dump; part of go_dump.h.
//
//   bool, integers        the same            std::vector<T>, std::array      slice, array
//   strings               string              std::map, absl maps             map; printed in order of the keys
//   std::optional<T>      T or nil            std::set, absl sets of K        map[K]struct{}
//   const T*              pointer inside a slice or map: <*>value or <nil>
//   anything else         what PrintGo(dump, value) prints
#ifndef KUBELET_CM_CHECKPOINTMANAGER_CHECKSUM_GO_KINDS_H_
#define KUBELET_CM_CHECKPOINTMANAGER_CHECKSUM_GO_KINDS_H_

#include <algorithm>
#include <functional>
#include <optional>
#include <type_traits>
#include <vector>

namespace kubelet_cm::go_kinds {

template <typename T>
inline constexpr bool kIsOptional = false;
template <typename T>
inline constexpr bool kIsOptional<std::optional<T>> = true;

template <typename T>
concept Keyed = requires {
  typename T::key_type;
};
template <typename T>
concept KeyedWithValues = Keyed<T> && requires {
  typename T::mapped_type;
};
template <typename T>
concept Sequence = requires(const T& range) {
  range.begin() != range.end();
};

// Of a map's or a set's element.
template <typename Map>
const auto& KeyOf(const typename Map::value_type& element) {
  if constexpr (KeyedWithValues<Map>) {
    return element.first;
  } else {
    return element;
  }
}

// Whether a walk through the container meets the keys in ascending order.
template <typename Map>
constexpr bool IsSorted() {
  if constexpr (requires { typename Map::key_compare; }) {
    using Compare = typename Map::key_compare;
    return std::is_same_v<Compare, std::less<typename Map::key_type>> || std::is_same_v<Compare, std::less<>>;
  } else {
    return false;
  }
}

// Calls `visit` for each element, in ascending order of the keys.
template <typename Map, typename Visit>
void ForEachByKey(const Map& map, Visit visit) {
  if constexpr (IsSorted<Map>()) {
    for (const auto& element : map) visit(element);
  } else {
    std::vector<const typename Map::value_type*> elements;
    for (const auto& element : map) elements.push_back(&element);
    std::sort(elements.begin(), elements.end(), [](auto* a, auto* b) { return KeyOf<Map>(*a) < KeyOf<Map>(*b); });
    for (const auto* element : elements) visit(*element);
  }
}

}  // namespace kubelet_cm::go_kinds

#endif  // KUBELET_CM_CHECKPOINTMANAGER_CHECKSUM_GO_KINDS_H_
