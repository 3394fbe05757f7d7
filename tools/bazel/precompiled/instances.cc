#define KUBELET_CM_INSTANCE
#include "tools/bazel/precompiled/instances.h"
