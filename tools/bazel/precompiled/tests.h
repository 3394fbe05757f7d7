// With products.h before every source of a test, and of what only tests use (//tools/bazel:cc.bzl).
#ifndef KUBELET_CM_TOOLS_BAZEL_PRECOMPILED_TESTS_H_
#define KUBELET_CM_TOOLS_BAZEL_PRECOMPILED_TESTS_H_

#include "gmock/gmock.h"
#include "google/protobuf/arena.h"
#include "google/protobuf/arenastring.h"
#include "google/protobuf/extension_set.h"
#include "google/protobuf/generated_message_bases.h"
#include "google/protobuf/generated_message_reflection.h"
#include "google/protobuf/generated_message_util.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/map.h"
#include "google/protobuf/map_entry.h"
#include "google/protobuf/map_field_inl.h"
#include "google/protobuf/message.h"
#include "google/protobuf/metadata_lite.h"
#include "google/protobuf/repeated_field.h"
#include "google/protobuf/unknown_field_set.h"
#include "gtest/gtest.h"

#endif  // KUBELET_CM_TOOLS_BAZEL_PRECOMPILED_TESTS_H_
