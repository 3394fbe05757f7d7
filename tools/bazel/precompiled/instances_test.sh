#!/usr/bin/env bash
# instances_test.sh USER INSTANCES: archives of a source that needs std::string, and of what is instantiated for all sources.
set -euo pipefail

user=$1 instances=$2
function="::replace(unsigned long, unsigned long, char const*)"

[[ $(nm -C "$user") == *" U std::"*"$function"* ]] || {
  echo "$user has instantiated std::string itself"
  exit 1
}
[[ $(nm -C "$instances") == *" W std::"*"$function"* ]] || {
  echo "$instances has no std::string"
  exit 1
}
