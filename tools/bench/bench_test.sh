#!/usr/bin/env bash
# The benchmarks run, and the machine's own speed stands in the output.
set -euo pipefail

out=$("$1" --benchmark_filter='/100$|/100/iterations|/callers:8/|Checksum|DeviceManager/.*pods:0/|DeviceManager/.*entries:100(/|$)|DeviceManager/(Hints|AllocateCall|AdmitOneOf)|PodResources/List/pods:0|Daemon/(StartToReady/entries:100/|WatchEvents)' --benchmark_min_time=0.001 2>&1) || {
  echo "$out"
  exit 1
}
for wanted in 'machine: memcpy .* GB/s, fsync .* ms' 'DeviceCheckpoint/EncodeFromNothing/100 ' \
  'DeviceCheckpoint/AfterRemovingOne/100 ' 'DeviceCheckpoint/FirstChangeWhenPrepared/100/' 'DraCheckpoint/CopyOfTheBytes/100 ' \
  'DraCheckpoint/DecodeAndVerify/100 ' 'Checksum/Crc32 ' 'changes_per_write=' 'DeviceManager/AdmitOneDevice/pods:0/' \
  'DeviceManager/AdmissionsAtOnce/callers:8/' 'DeviceManager/ListOfNewDevices/pods:0/' 'DeviceManager/Start/entries:100/' 'manager_MB=' \
  'PodResources/List/pods:0/' 'Daemon/StartToReady/entries:100/' 'Daemon/WatchEvents/'; do
  if ! grep -q "$wanted" <<<"$out"; then
    printf 'no "%s" in:\n%s\n' "$wanted" "$out"
    exit 1
  fi
done
