// Writes claims in another format, with what is lost on the way.
#ifndef KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_CLAIM_REWRITING_H_
#define KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_CLAIM_REWRITING_H_

#include "common/gotext/json_string.h"
#include "common/personality/personality.h"
#include "dra/checkpoint/dra_reading.h"
#include "tools/cmctl/checkpoint/state_file.h"

namespace kubelet_cm::cmctl {

// Kubelets before 1.30 were built with a Go that has no short escapes.
ControlEscapes EscapesOf(DraFormat format);

// `reading` is one of ReadDraCheckpoint with content. Pure function.
Rewritten RewriteClaims(const dra::DraReading& reading, DraFormat to);

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_CLAIM_REWRITING_H_
