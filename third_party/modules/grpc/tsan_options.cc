// What ThreadSanitizer is told in whatever links gRPC. Nothing in other builds.
//
// The distribution's gRPC is not instrumented: ThreadSanitizer sees the copies, allocations, releases and system calls
// that it makes, and not the atomics and futexes that order them, so each of these can look like a race. There are
// too many callers for a list of suppressions; instead, accesses that happen inside such library calls are not looked
// at. What instrumented code reads and writes by itself still is, and that is all of ours.
//
// Left over are templates that gRPC uses and that our objects instantiate too: the linker takes one copy for both,
// ours, which is instrumented. Where gRPC's own threads run it, its queues are named as suppressions, together with
// Abseil's (debian/tsan_suppressions.cc): a program has one such list.
#if defined(__SANITIZE_THREAD__)
#define KUBELET_CM_TSAN_HOOK 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define KUBELET_CM_TSAN_HOOK 1
#endif
#endif

#ifdef KUBELET_CM_TSAN_HOOK
extern "C" const char* __tsan_default_options();
extern "C" const char* __tsan_default_options() { return "ignore_interceptors_accesses=1"; }
#endif
