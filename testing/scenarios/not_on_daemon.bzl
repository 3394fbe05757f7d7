"""Scenarios that are not played against the daemon's program, or not in memory, and why."""

# They need a clock that can be moved, a disk that fails, or a kubelet that dies at a place of theirs: the loader says so, with the line
# (//testing/scenarios:needs_memory_test).
NEEDS_MEMORY = [
    "df_05_list_and_watch_that_fails_at_once",
    "df_06_list_and_watch_that_ends_later",
    "df_07_plugin_that_stops_leaves_capacity_for_five_minutes",
    "disk_full_refuses_and_recovers",
    "disk_is_full",
    "dr_12_operations_on_claims_are_measured",
    "driver_fails_and_comes_back",
    "grace_period_starts_anew_with_the_kubelet",
    "hangs_until_the_time_limit",
    "killed_before_the_pod_is_answered",
    "killed_between_a_drivers_answer_and_the_write",
    "killed_between_a_drivers_unprepare_and_the_write",
    "killed_between_the_plugins_answer_and_the_write",
    "killed_during_the_write",
    "killed_in_each_part_of_a_claims_life",
    "killed_in_each_part_of_a_pods_life",
    "killed_while_a_plugin_registers",
    "leaked_by_kubelets_before_1_31",
    "namesake_of_a_claim_of_a_force_deleted_pod",
    "plugin_gone_for_five_minutes",
    "plugin_of_another_version_is_refused",
    "power_cut_after_an_answer",
    "power_cut_after_the_answer",
    "power_cut_takes_what_was_prepared",
    "pr_05_calls_of_podresources_are_counted",
    "resource_has_another_name",
    "resource_that_expired_comes_back_without_its_old_devices",
    "shared_claim_is_unprepared_with_its_last_pod",
    "wall_clock_is_set_while_pods_run",
]

# They need what a node in memory does not have (//testing/scenarios:needs_daemon_test).
NEEDS_DAEMON = [
    "dr_02_registration_that_fails_once",
    "dr_08_driver_listens_after_it_was_registered",
    "dr_08_one_socket_serves_claims_after_it_registered",
    "dr_09_connection_is_lost_and_comes_back",
    "dr_09_one_socket_is_lost_and_comes_back",
    "dr_10_one_connection_serves_all_calls",
    "dr_13_slices_of_before_are_removed_at_a_start",
    "dr_14_health_by_either_service_over_a_lost_connection",
    "dr_14_health_of_claimed_devices_is_in_the_pods_status",
    "dr_14_kubelet_before_1_34_asks_nobody_for_health",
    "dr_15_shares_of_a_device_have_its_health",
    "pr_06_who_lists_too_often_is_refused",
]

# They could be played against the daemon, and are not.
LEFT_OUT = {
    "driver_takes_longer_than_the_time_limit": "it waits for time limits, which are minutes of real time",
    "plugin_answers_badly": "it waits for the end of a call that hangs, which is a minute of real time",
}

def on_daemon(file):
    """What kubelet_scenario_test is told of a file: whether it is played against the daemon."""
    name = file.removesuffix(".textproto")
    return name not in NEEDS_MEMORY and name not in LEFT_OUT

def in_memory(file):
    """And whether it is played in memory."""
    return file.removesuffix(".textproto") not in NEEDS_DAEMON
