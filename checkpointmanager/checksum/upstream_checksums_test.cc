// Dumps and checksums that upstream's own code made, printed from C++ types such as the codecs have.
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "checkpointmanager/checksum/fnv1a.h"
#include "checkpointmanager/checksum/go_dump.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using Strings = std::optional<std::vector<std::string>>;
using StringsByName = std::optional<std::map<std::string, Strings>>;

// ---- The device checkpoint since 1.20; before, DeviceIDs was a list.

struct PodDevicesEntry {
  std::string pod = "pod1";
  std::string container = "con1";
  std::string resource = "example.com/gpu";
  std::optional<std::map<int64_t, Strings>> devices = {};
  Strings devices_v1 = {};
  std::optional<std::string> response = {};
  bool v1 = false;
};

struct CheckpointData {
  std::optional<std::vector<PodDevicesEntry>> entries;
  StringsByName registered;
};

void PrintGo(GoDump& dump, const PodDevicesEntry& entry) {
  dump.Struct([&] {
    dump.Field("PodUID", "string", entry.pod);
    dump.Field("ContainerName", "string", entry.container);
    dump.Field("ResourceName", "string", entry.resource);
    if (entry.v1) {
      dump.Field("DeviceIDs", "[]string", entry.devices_v1);
    } else {
      dump.Field("DeviceIDs", "checkpoint.DevicesPerNUMA", entry.devices);
    }
    dump.BytesField("AllocResp", entry.response);
  });
}

void PrintGo(GoDump& dump, const CheckpointData& data) {
  dump.Struct([&] {
    dump.Field("PodDeviceEntries", "[]checkpoint.PodDevicesEntry", data.entries);
    dump.Field("RegisteredDevices", "map[string][]string", data.registered);
  });
}

uint32_t Checksum(const CheckpointData& data) {
  return GoDumpChecksum([&](GoDump& dump) { dump.Typed("checkpoint.checkpointData", data); });
}

std::string Text(const CheckpointData& data) {
  return GoDumpText([&](GoDump& dump) { dump.Typed("checkpoint.checkpointData", data); });
}

std::vector<std::string> List(std::vector<std::string> strings) { return strings; }

const std::string kResponse =
    "\x0a\x06\x0a\x01"
    "A"
    "\x12\x01"
    "B";

TEST(UpstreamChecksumsTest, OfADeviceCheckpointWithoutAnything) {
  EXPECT_EQ(Text({.entries = {}, .registered = StringsByName::value_type()}),
            "(checkpoint.checkpointData){PodDeviceEntries:([]checkpoint.PodDevicesEntry)<nil> "
            "RegisteredDevices:(map[string][]string)map[]}");
  EXPECT_EQ(Checksum({.entries = {}, .registered = StringsByName::value_type()}), 3467439661u);
  EXPECT_EQ(Checksum({.entries = {}, .registered = {{{"example.com/gpu", List({})}}}}), 2838580107u);
}

TEST(UpstreamChecksumsTest, OfDevicesOnFourNumaNodes) {
  const CheckpointData data = {.entries = {{{.devices = {{{10, List({"dev4"})},
                                                          {-1, List({"dev5"})},
                                                          {2, List({"dev3"})},
                                                          {0, List({"dev1", "dev2"})}}},
                                             .response = kResponse}}},
                               .registered = {{{"example.com/gpu", List({"dev1", "dev2", "dev3", "dev4", "dev5"})}}}};
  EXPECT_EQ(Text(data),
            "(checkpoint.checkpointData){PodDeviceEntries:([]checkpoint.PodDevicesEntry)[{PodUID:(string)pod1 "
            "ContainerName:(string)con1 ResourceName:(string)example.com/gpu DeviceIDs:(checkpoint.DevicesPerNUMA)"
            "map[-1:[dev5] 0:[dev1 dev2] 2:[dev3] 10:[dev4]] AllocResp:([]uint8)[10 6 10 1 65 18 1 66]}] "
            "RegisteredDevices:(map[string][]string)map[example.com/gpu:[dev1 dev2 dev3 dev4 dev5]]}");
  EXPECT_EQ(Checksum(data), 398046882u);
}

TEST(UpstreamChecksumsTest, OfAnEmptyResponseAndTwoResources) {
  EXPECT_EQ(Checksum({.entries = {{{.devices = {{{-1, List({"dev5"})}}}, .response = ""}}},
                      .registered = {{{"example.com/nic", List({})}, {"example.com/gpu", List({"dev5"})}}}}),
            2136098511u);
}

TEST(UpstreamChecksumsTest, OfADeviceCheckpointOfNulls) {
  EXPECT_EQ(Checksum({.entries = {{PodDevicesEntry()}}, .registered = {}}), 495357712u);
}

TEST(UpstreamChecksumsTest, OfNullAndEmptyListsInOneMap) {
  const CheckpointData data = {.entries = {{{.pod = "7f2d6a1e-52c5-4c2b-9a51-0d6e0b7a1c01",
                                             .container = "c",
                                             .resource = "r.io/x",
                                             .devices = {{{0, {}}, {1, List({})}, {2, List({"x"})}}},
                                             .response = "\n\x1f\n\x16NVIDIA_VISIBLE_DEVICES\x12\x05GPU-0\x1a \n\x0c"
                                                         "/dev/nvidia0\x12\x0c/dev/nvidia0\x1a\x02rw"}}},
                               .registered = StringsByName::value_type()};
  EXPECT_EQ(Checksum(data), 3121894671u);
}

TEST(UpstreamChecksumsTest, OfADeviceCheckpointBeforeNumaNodes) {
  EXPECT_EQ(Checksum({.entries = {{{.devices_v1 = List({"dev1", "dev2"}), .response = kResponse, .v1 = true}}},
                      .registered = {{{"example.com/gpu", List({"dev1", "dev2"})}}}}),
            4071032665u);
}

// ---- The DRA state of 1.27 to 1.30: a pointer to all of it, with the checksum 0 inside.

enum class Version { k1_27, k1_28, k1_30 };

struct Handle {
  std::string driver = "drv.example.com";
  std::string data = "opaque";
};

struct Claim {
  std::string driver = "drv.example.com";
  std::set<std::string> pods = {"p2", "p1"};
  std::optional<std::vector<Handle>> handles = {};
  StringsByName devices = {{{"drv.example.com", List({"ex.com/gpu=0", "ex.com/gpu=1"})}}};
};

std::string DraText(const std::optional<std::vector<Claim>>& claims, Version version) {
  return GoDumpText([&](GoDump& dump) {
    const auto print_handle = [&](const Handle& handle) {
      dump.Struct([&] {
        dump.Field("DriverName", "string", handle.driver);
        dump.Field("Data", "string", handle.data);
        if (version == Version::k1_30) {
          dump.Field("StructuredData", "*v1alpha2.StructuredResourceHandle", std::nullopt);
        }
      });
    };
    const auto print_claim = [&](const Claim& claim) {
      dump.Struct([&] {
        dump.Field("DriverName", "string", claim.driver);
        dump.Field("ClassName", "string", "gold");
        dump.Field("ClaimUID", "types.UID", "u-1");
        dump.Field("ClaimName", "string", "c1");
        dump.Field("Namespace", "string", "ns1");
        dump.Field("PodUIDs", "sets.Set[string]", claim.pods);
        if (version != Version::k1_27) {
          dump.ListField("ResourceHandles", "[]v1alpha2.ResourceHandle", claim.handles, print_handle);
        }
        dump.Field("CDIDevices", "map[string][]string", claim.devices);
      });
    };
    dump.Text("(*state.DRAManagerCheckpoint)");
    dump.Struct([&] {
      dump.Field("Version", "string", "v1");
      dump.ListField("Entries", "state.ClaimInfoStateList", claims, print_claim);
      dump.Field("Checksum", "checksum.Checksum", 0);
    });
  });
}

TEST(UpstreamChecksumsTest, OfDraStatesWithoutClaims) {
  EXPECT_EQ(Fnv1a(DraText(std::vector<Claim>(), Version::k1_27)), 991151041u);
  EXPECT_EQ(Fnv1a(DraText(std::nullopt, Version::k1_28)), 3675879976u);
}

TEST(UpstreamChecksumsTest, OfADraClaimWithoutHandles) {
  EXPECT_EQ(Fnv1a(DraText(std::vector<Claim>(1), Version::k1_27)), 1037512227u);
}

TEST(UpstreamChecksumsTest, OfADraClaimWithHandles) {
  const std::vector<Claim> claims = {{.handles = {{Handle()}}}};
  EXPECT_EQ(Fnv1a(DraText(claims, Version::k1_28)), 721782127u);
  EXPECT_EQ(Fnv1a(DraText(claims, Version::k1_30)), 1695457872u);
  const std::vector<Claim> empty_handle = {{.handles = {{Handle{.driver = "", .data = ""}}}}};
  EXPECT_EQ(Fnv1a(DraText(empty_handle, Version::k1_28)), 2170418591u);
}

TEST(UpstreamChecksumsTest, OfTextsAsTheyWereHashed) {
  EXPECT_EQ(Fnv1a("(*state.DRAManagerCheckpoint){Version:(string)v1 Entries:(state.ClaimInfoStateList)[{DriverName:"
                  "(string)gpu.example.com ClassName:(string)gpu.example.com ClaimUID:(types.UID)067798be-454e-4be4-"
                  "9047-1aa06aea63f7 ClaimName:(string)example Namespace:(string)default PodUIDs:(sets.Set[string])map["
                  "139cdb46-f989-4f17-9561-ca10cfb509a6:{}] CDIDevices:(map[string][]string)map[B.example.com:<nil> "
                  "a.example.com:[z=1 a=2] gpu.example.com:[example.com/example=cdi-example] \xc3\xa9.example.com:[]]}"
                  "] Checksum:(checksum.Checksum)0}"),
            616312262u);
  EXPECT_EQ(Fnv1a("(checkpoint.checkpointData){PodDeviceEntries:([]checkpoint.PodDevicesEntry)[{PodUID:(string)7f2d6a1e"
                  "-52c5-4c2b-9a51-0d6e0b7a1c01 ContainerName:(string)c ResourceName:(string)r.io/x DeviceIDs:("
                  "checkpoint.DevicesPerNUMA)map[0:[a]] AllocResp:([]uint8)[255 0 251]}] RegisteredDevices:(map["
                  "string][]string)map[]}"),
            188740887u);
}

}  // namespace
}  // namespace kubelet_cm
