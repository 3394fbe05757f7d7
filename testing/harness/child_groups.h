// Process groups of child processes that run. A terminal's Ctrl-C reaches our own group and no other, so SIGINT,
// SIGTERM, SIGHUP and SIGQUIT kill these before they end us: nothing is left running. Whoever handles one of these
// signals himself, or ignores it, is left alone.
//
// Thread-safe.
#ifndef KUBELET_CM_TESTING_HARNESS_CHILD_GROUPS_H_
#define KUBELET_CM_TESTING_HARNESS_CHILD_GROUPS_H_

#include <sys/types.h>

namespace kubelet_cm::harness {

// Of a group that exists.
void AddChildGroup(pid_t group);
// Before its number can belong to another one.
void RemoveChildGroup(pid_t group);

}  // namespace kubelet_cm::harness

#endif  // KUBELET_CM_TESTING_HARNESS_CHILD_GROUPS_H_
