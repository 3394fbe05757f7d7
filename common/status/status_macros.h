// The two ways to pass an error on: RETURN_IF_ERROR(expr) and ASSIGN_OR_RETURN(lhs, expr).
//
// An error passes unchanged; context is added where it is born.
#ifndef KUBELET_CM_COMMON_STATUS_STATUS_MACROS_H_
#define KUBELET_CM_COMMON_STATUS_STATUS_MACROS_H_

#include <utility>

#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"

// Evaluates `expr`, an absl::Status; returns it from the enclosing function when it is an error.
#define RETURN_IF_ERROR(expr)                                                                     \
  do {                                                                                            \
    if (::absl::Status status_to_return_ = (expr); ABSL_PREDICT_FALSE(!status_to_return_.ok())) { \
      return status_to_return_;                                                                   \
    }                                                                                             \
  } while (false)

// Evaluates `expr`, an absl::StatusOr<T>; returns its error from the enclosing function, or assigns its value to `lhs`,
// which may declare a variable: ASSIGN_OR_RETURN(std::string text, Read(path)). A type with a comma in it needs an
// alias.
#define ASSIGN_OR_RETURN(lhs, expr) KUBELET_CM_ASSIGN_OR_RETURN_(KUBELET_CM_CONCAT_(status_or_, __LINE__), lhs, expr)

#define KUBELET_CM_CONCAT_INNER_(a, b) a##b
#define KUBELET_CM_CONCAT_(a, b) KUBELET_CM_CONCAT_INNER_(a, b)
#define KUBELET_CM_ASSIGN_OR_RETURN_(result, lhs, expr) \
  auto result = (expr);                                 \
  if (ABSL_PREDICT_FALSE(!result.ok())) {               \
    return std::move(result).status();                  \
  }                                                     \
  lhs = *std::move(result)

#endif  // KUBELET_CM_COMMON_STATUS_STATUS_MACROS_H_
