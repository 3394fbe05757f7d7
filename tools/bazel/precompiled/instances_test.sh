#!/usr/bin/env bash
# instances_test.sh ARCHIVE...: those of :instances, and of :instances_user, which is a source that needs std::string.
set -euo pipefail

function="::replace(unsigned long, unsigned long, char const*)"
looked_at=0
for archive in "$@"; do
  kind=W # defined
  [[ $archive != *user* ]] || kind=U
  [[ $(nm -C "$archive") == *" $kind std::"*"$function"* ]] || {
    echo "$archive should have as $kind: std::string$function"
    exit 1
  }
  looked_at=$((looked_at + 1))
done
((looked_at >= 2))
