"""The planted bugs: what is wrong, where, and which scenario has to find it.

`how`: "sweep", or "orders" (of threads), where the scenario as it stands is not enough.
"""

MUTANTS = {
    "no_sync_of_the_folder": dict(
        bug = "a state file is renamed into its place, and the folder is not synced",
        source = "common/filesystem/atomic_write.cc",
        find = ["  return file_system.SyncFolder(FolderOf(path));"],
        replace = ["  return absl::OkStatus();"],
        scenario = "library/power_cut_after_an_answer",
    ),
    "no_sync_of_the_file": dict(
        bug = "a state file gets its name before its bytes are on the disk",
        source = "common/filesystem/atomic_write.cc",
        find = ["  return temp.file->Sync();"],
        replace = ["  return absl::OkStatus();"],
        scenario = "restart/power_cut_after_the_answer",
    ),
    "answer_before_durable": dict(
        bug = "an admission is answered while its write is still to come",
        source = "deviceplugin/pod_allocation.cc",
        find = ["const absl::Status durable = parts_.checkpoint.WaitDurable(number);"],
        replace = ["const absl::Status durable = number > 0 ? absl::OkStatus() : absl::InternalError(\"no number\");\n  parts_.changed.Set();"],
        scenario = "restart/power_cut_after_the_answer",
        how = "sweep",
    ),
    "v1_reader_missing": dict(
        bug = "files of kubelets before 1.20 are not read (k/k#102880)",
        source = "deviceplugin/checkpoint/device_reader.cc",
        find = ["    DeviceAttempt& attempt = verdict.attempts.emplace_back("],
        replace = ["    if (FormatOf(layout) == DeviceFormat::kV1) continue;\n    DeviceAttempt& attempt = verdict.attempts.emplace_back("],
        scenario = "library/restored_from_v1",
    ),
    "checksum_not_checked": dict(
        bug = "a file whose checksum does not fit is taken as it is",
        source = "deviceplugin/checkpoint/device_reader.cc",
        find = ["  if (attempt.stored_checksum != attempt.computed_checksum) {"],
        replace = ["  if (!attempt.computed_checksum.has_value()) {"],
        scenario = "corruption/devices_bit_flipped",
    ),
    "restore_half_filled": dict(
        bug = "of the entries in the file only the first pod's are restored",
        source = "deviceplugin/allocation/device_ledger.cc",
        find = ["  for (DeviceEntry& entry : entries) {\n    if (absl::Status status = CheckResponse(entry)"],
        replace = ["  for (DeviceEntry& entry : entries) {\n    if (!pods_.empty() && !pods_.contains(entry.pod_uid)) break;\n    if (absl::Status status = CheckResponse(entry)"],
        scenario = "restart/disk_is_full",
    ),
    "reservation_forgotten": dict(
        bug = "devices that a plugin is being asked for look free to others (k/k#137534)",
        source = "deviceplugin/allocation/device_ledger.cc",
        find = [
            "    if (found->second.ids.insert(id).second) resource.Take(pod, id);",
            "  for (const std::string& id : released.ids) resource.Drop(&pod->first, id);",
        ],
        replace = [
            "    if (found->second.ids.insert(id).second && pod == nullptr) resource.Take(pod, id);",
            "  if (pod == pods_.end()) resource.free.reset();",
        ],
        scenario = "restart/two_pods_ask_while_the_plugin_takes_its_time",
    ),
    "older_state_written_last": dict(
        bug = "two writers of one file overtake each other",
        source = "checkpointmanager/checkpoint_writer.cc",
        find = [
            "    writing_ = true;\n    mu_.Unlock();\n    const Outcome outcome = WriteNewest();",
            "  outcome.status = file_.ok() ? manager_.Write(**file_, rendered_) : file_.status();",
        ],
        replace = [
            "    mu_.Unlock();\n    const Outcome outcome = WriteNewest();",
            "  const std::string own = rendered_;\n  outcome.status = file_.ok() ? manager_.Write(**file_, own) : file_.status();",
        ],
        scenario = "plugins/answers_three_pods_at_once",
        how = "orders",
    ),
    "unprepare_before_the_last_pod": dict(
        bug = "a shared claim is unprepared when the first of its pods goes",
        source = "dra/claim/claim_table.cc",
        find = ["    if (entry.pods.size() > 1) {"],
        replace = ["    if (entry.pods.empty()) {"],
        scenario = "dra/shared_claim_is_prepared_once",
    ),
    "intent_not_written": dict(
        bug = "a driver is asked to prepare before the state file says that it may have been",
        source = "dra/claim_preparation.cc",
        find = ["  if (!parts_.rules.intent_first) return plan;"],
        replace = ["  if (number > 0 || !parts_.rules.intent_first) return plan;"],
        scenario = "library/claim_survives_kill_between_call_and_answer",
    ),
    "stale_endpoint_promoted": dict(
        bug = "of two instances of a plugin the older one is asked",
        source = "deviceplugin/inventory/plugin_instances.cc",
        find = ["  return connected_.rbegin()->second.instance;"],
        replace = ["  return connected_.begin()->second.instance;"],
        scenario = "catalogue/dm_01_rolling_update_of_a_plugin",
    ),
    "grace_period_ignored": dict(
        bug = "a resource goes as soon as its plugin does",
        source = "deviceplugin/inventory/device_inventory.cc",
        find = [
            "now - *resource.stopped_at > rules_.stopped_grace;",
            "  return *first + rules_.stopped_grace + absl::Nanoseconds(1);",
        ],
        replace = [
            "now >= *resource.stopped_at;",
            "  return *first;",
        ],
        scenario = "catalogue/df_07_plugin_that_stops_leaves_capacity_for_five_minutes",
    ),
    "capacity_from_unhealthy_devices": dict(
        bug = "devices that are ill count as allocatable",
        source = "deviceplugin/inventory/device_inventory.cc",
        find = ["    result.allocatable[name] = healthy;"],
        replace = ["    result.allocatable[name] = resource.picture->count();"],
        scenario = "catalogue/df_03_capacity_stays_while_allocatable_falls",
    ),
    "device_that_was_not_offered": dict(
        bug = "a plugin's preference for a device that it was not offered is followed",
        source = "deviceplugin/allocation/device_picker.cc",
        find = ["      if (Contains(pick.question->available, id) && Contains(available, id)) wanted.push_back(id);"],
        replace = ["      wanted.push_back(id);"],
        scenario = "plugins/prefers_what_it_was_not_offered",
    ),
    "health_update_lost": dict(
        bug = "nobody is told that a device which a pod holds has another health",
        source = "deviceplugin/plugin_connections.cc",
        find = ["  Announce(resource, taken.change.health_changed, &list);"],
        replace = ["  Announce(resource, {}, &list);"],
        scenario = "catalogue/ds_01_health_of_a_device_is_in_the_pods_status",
    ),
    "namesake_taken_for_the_claim": dict(
        bug = "a claim is taken for another one that had its name (KEP-3063)",
        source = "dra/claim/claim_table.cc",
        find = ["    if (known != claim.id.uid) {"],
        replace = ["    if (known.empty()) {"],
        scenario = "dra/namesake_of_a_claim_that_is_in_use",
    ),
    "failed_answer_keeps_devices": dict(
        bug = "devices stay reserved when the plugin's answer was an error",
        source = "deviceplugin/pod_allocation.cc",
        find = ["    for (const ReservationId reservation : reservations_) parts_.state.ledger.Release(reservation);"],
        replace = ["    reservations_.clear();"],
        scenario = "plugins/answers_about_no_container",
    ),
}
