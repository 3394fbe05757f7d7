// What ThreadSanitizer is told of the distribution's Abseil, and of the gRPC on top of it; linked into whatever links
// Abseil, since a program has one such list. Nothing in other builds.
//
// Abseil is not instrumented: of the graph in which its mutexes look for deadlocks, ThreadSanitizer sees the copies
// (memmove), and not the spin lock that orders them. Of gRPC it sees its queues of functions, where they run the copies
// of templates that our objects instantiate, and not the locks around them.
#if defined(__SANITIZE_THREAD__)
#define KUBELET_CM_TSAN_HOOK 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define KUBELET_CM_TSAN_HOOK 1
#endif
#endif

#ifdef KUBELET_CM_TSAN_HOOK
extern "C" const char* __tsan_default_suppressions();
extern "C" const char* __tsan_default_suppressions() {
  return "race:^absl::*::synchronization_internal::GraphCycles::\n"
         "race:grpc_event_engine::experimental::ThreadPool::Queue\n"  // absl::AnyInvocable
         "race:grpc::Server::SyncRequest\n";                          // std::function
}
#endif
