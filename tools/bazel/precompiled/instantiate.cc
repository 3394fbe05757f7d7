// A plugin of g++ (precompile.sh): "#pragma kubelet_cm instantiate" instantiates at once what templates the code before
// it needs, where g++ would wait for the end of the source. At the end of a header that is precompiled, what its inline
// functions need is so compiled once; otherwise g++ writes down that it is still to do, and does it in every source:
// 0.2 s each. It is what clang's -fpch-instantiate-templates does. Nothing of it gets into a program.
#include <gcc-plugin.h>  // before all others

#include "c-family/c-pragma.h"
#include "cp/cp-tree.h"
#include "plugin-version.h"
#include "tree.h"

int plugin_is_GPL_compatible;  // g++ loads no plugin without it; the Apache License 2.0 is compatible with its GPL 3.

static void Instantiate(cpp_reader*) { instantiate_pending_templates(/*retries=*/0); }

static void RegisterPragma(void*, void*) { c_register_pragma("kubelet_cm", "instantiate", Instantiate); }

int plugin_init(plugin_name_args* info, plugin_gcc_version* version) {
  if (!plugin_default_version_check(version, &gcc_version)) return 1;
  register_callback(info->base_name, PLUGIN_PRAGMAS, RegisterPragma, nullptr);
  return 0;
}
