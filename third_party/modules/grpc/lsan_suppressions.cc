// What LeakSanitizer is told of gRPC; linked into whatever links it. Nothing in other builds.
//
// A channel that was let go while it dialled is kept by its connection attempt, which gRPC gives up after 20 s. A
// process that ends earlier leaves what gRPC's core allocated for it. What our code and gRPC's C++ classes allocate is
// still looked at.
#if defined(__SANITIZE_ADDRESS__)
#define KUBELET_CM_LSAN_HOOK 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define KUBELET_CM_LSAN_HOOK 1
#endif
#endif

#ifdef KUBELET_CM_LSAN_HOOK
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() {
  return "leak:grpc_core::\n"
         "leak:gpr_malloc\n"
         "leak:gpr_zalloc\n";
}
#endif
