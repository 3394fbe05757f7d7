#include "kubelet_cm/podresources/pod_resources_lister.h"

#include <string>
#include <vector>

#include "common/log/capturing_logger.h"
#include "common/metrics/metric_value.h"
#include "common/status/status_matchers.h"
#include "google/protobuf/text_format.h"
#include "google/protobuf/util/message_differencer.h"
#include "kubelet_cm/podresources/fake_pod_resources_source.h"

namespace kubelet_cm::podresources {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Method = PodResourcesRules::Method;

MATCHER_P(EqualsText, text, "is " + std::string(text)) {
  std::remove_cvref_t<decltype(arg)> expected;
  if (!google::protobuf::TextFormat::ParseFromString(text, &expected)) return false;
  *result_listener << "which is " << arg.ShortDebugString();
  return google::protobuf::util::MessageDifferencer::Equals(arg, expected);
}

class PodResourcesListerTest : public ::testing::Test {
 protected:
  PodResourcesListerTest() {
    source_.active = {FakePodResourcesSource::PodNamed("a", {{.name = "init", .kind = ContainerKind::kInit},
                                                             {.name = "side", .kind = ContainerKind::kSidecar},
                                                             {.name = "app"}})};
    source_.ended = {FakePodResourcesSource::PodNamed("old", {{.name = "app"}})};
  }
  void Hold(const std::string& container, deviceplugin::HeldDevices devices) {
    source_.devices[{"a-uid", container}] = std::move(devices);
  }
  PodResourcesLister Lister() { return PodResourcesLister({source_, metrics_, log_}, rules_); }
  ::v1::ListPodResourcesResponse List() {
    ::v1::ListPodResourcesResponse response;
    Lister().List(&response);
    return response;
  }
  absl::StatusOr<::v1::GetPodResourcesResponse> Get(const std::string& name, const std::string& name_space = "ns") {
    ::v1::GetPodResourcesRequest request;
    request.set_pod_name(name);
    request.set_pod_namespace(name_space);
    ::v1::GetPodResourcesResponse response;
    const absl::Status status = Lister().Get(request, &response);
    if (!status.ok()) return status;
    return response;
  }
  std::optional<double> Count(const std::string& name, const std::string& version = "v1") {
    return MetricValue(registry_, "kubelet_pod_resources_endpoint_" + name, {{"server_api_version", version}});
  }

  MetricsRegistry registry_;
  PodResourcesMetrics metrics_{registry_};
  CapturingLogger log_;
  FakePodResourcesSource source_;
  PodResourcesRules rules_;
};

TEST_F(PodResourcesListerTest, ActivePodsAreListedWithSidecarsAndAppContainers) {
  EXPECT_THAT(List(), EqualsText(R"pb(pod_resources {
                                        name: "a"
                                        namespace: "ns"
                                        containers { name: "side" }
                                        containers { name: "app" }
                                      })pb"));
}

TEST_F(PodResourcesListerTest, ADeviceIsListedForEachOfItsNumaNodes) {
  Hold("app", {{"x/b", {{"d1", {}}}}, {"x/a", {{"d2", {0, 1}}, {"d0", {1}}}}});
  EXPECT_THAT(List().pod_resources(0).containers(1), EqualsText(R"pb(
                name: "app"
                devices {
                  resource_name: "x/a"
                  device_ids: "d0"
                  topology { nodes { ID: 1 } }
                }
                devices {
                  resource_name: "x/a"
                  device_ids: "d2"
                  topology { nodes { ID: 0 } }
                }
                devices {
                  resource_name: "x/a"
                  device_ids: "d2"
                  topology { nodes { ID: 1 } }
                }
                devices { resource_name: "x/b" device_ids: "d1" })pb"));
}

TEST_F(PodResourcesListerTest, ClaimsAreListedWithEachDevicesOwnNames) {
  source_.claims.insert_or_assign(
      {"a-uid", "app"},
      std::vector<dra::ContainerClaimInfo>{
          {.claim_name = "c",
           .claim_namespace = "ns",
           .devices = {{.driver_name = "d", .pool_name = "p", .device_name = "0", .cdi_device_ids = {"v/c=0", "v/c=x"}},
                       {.driver_name = "d", .pool_name = "p", .device_name = "1", .share_id = "s"}}}});
  EXPECT_THAT(List().pod_resources(0).containers(1), EqualsText(R"pb(
                name: "app"
                dynamic_resources {
                  claim_name: "c"
                  claim_namespace: "ns"
                  claim_resources {
                    cdi_devices { name: "v/c=0" }
                    cdi_devices { name: "v/c=x" }
                    driver_name: "d"
                    pool_name: "p"
                    device_name: "0"
                  }
                  claim_resources { driver_name: "d" pool_name: "p" device_name: "1" share_id: "s" }
                })pb"));
}

TEST_F(PodResourcesListerTest, ClaimsThatAreNotPreparedAreLeftOutWithOneLine) {
  for (const char* container : {"side", "app"}) {
    source_.claims.insert_or_assign({"a-uid", container}, absl::NotFoundError("not prepared"));
  }
  EXPECT_THAT(List().pod_resources(0).containers(), ::testing::SizeIs(2));
  EXPECT_THAT(log_.lines(),
              ElementsAre(::testing::AllOf(IsLogLine(Severity::kError, "Unable to get container claim info state"),
                                           HasLogError("not prepared"), HasLogField("containerName", "side"),
                                           HasLogField("containers", "2"))));
}

TEST_F(PodResourcesListerTest, ListFreesWhatDepartedPodsHeldAndGetDoesNot) {
  List();
  EXPECT_EQ(source_.collections, 1);
  EXPECT_OK(Get("a"));
  EXPECT_EQ(source_.collections, 1);
}

TEST_F(PodResourcesListerTest, OlderKubeletsListPodsThatHaveEndedAndNoSidecars) {
  rules_ = {.claims = false, .sidecars = false, .lists_active = false};
  source_.claims.insert_or_assign({"a-uid", "app"}, absl::NotFoundError("is not asked for"));
  EXPECT_THAT(List(), EqualsText(R"pb(pod_resources {
                                        name: "a"
                                        namespace: "ns"
                                        containers { name: "app" }
                                      }
                                      pod_resources {
                                        name: "old"
                                        namespace: "ns"
                                        containers { name: "app" }
                                      })pb"));
  EXPECT_THAT(log_.lines(), IsEmpty());
}

TEST_F(PodResourcesListerTest, GetGivesThePodAsListDoes) {
  Hold("side", {{"x/a", {{"d0", {}}}}});
  EXPECT_THAT(Get("a")->pod_resources(), EqualsText(R"pb(
                name: "a"
                namespace: "ns"
                containers {
                  name: "side"
                  devices { resource_name: "x/a" device_ids: "d0" }
                }
                containers { name: "app" })pb"));
}

TEST_F(PodResourcesListerTest, GetOfAPodThatIsNotActiveIsAnError) {
  EXPECT_THAT(Get("none"), StatusIs(absl::StatusCode::kUnknown, "pod none in namespace ns not found"));
  EXPECT_THAT(Get("a", "other"), StatusIs(absl::StatusCode::kUnknown, "pod a in namespace other not found"));
  EXPECT_THAT(Get("old"), StatusIs(absl::StatusCode::kUnknown));
  EXPECT_EQ(Count("requests_get"), 3);
  EXPECT_EQ(Count("errors_get"), 3);
  rules_.gets_active = false;
  EXPECT_OK(Get("old"));
}

TEST_F(PodResourcesListerTest, NamesOfAnyLengthAreShownInPart) {
  EXPECT_LT(Get(std::string(100'000, 'x')).status().message().size(), 1000);
}

TEST_F(PodResourcesListerTest, AllocatableDevicesAreThoseOfTheNode) {
  source_.allocatable = {{"x/a", {{"d0", {0}}, {"d1", {}}}}, {"x/b", {}}};
  ::v1::AllocatableResourcesResponse response;
  EXPECT_OK(Lister().GetAllocatable(&response));
  EXPECT_THAT(response, EqualsText(R"pb(
                devices {
                  resource_name: "x/a"
                  device_ids: "d0"
                  topology { nodes { ID: 0 } }
                }
                devices { resource_name: "x/a" device_ids: "d1" })pb"));
}

TEST_F(PodResourcesListerTest, MethodsThatAreOffSaySo) {
  rules_ = {.get_allocatable = Method::kDisabled, .get = Method::kDisabled};
  ::v1::AllocatableResourcesResponse response;
  EXPECT_THAT(Lister().GetAllocatable(&response),
              StatusIs(absl::StatusCode::kUnknown, "PodResources API GetAllocatableResources disabled"));
  EXPECT_THAT(Get("a"), StatusIs(absl::StatusCode::kUnknown, "PodResources API Get method disabled"));
  EXPECT_EQ(Count("errors_get_allocatable"), 1);
  rules_.get = Method::kMissing;
  EXPECT_THAT(Get("a"), StatusIs(absl::StatusCode::kUnimplemented));
}

TEST_F(PodResourcesListerTest, TheOldListHasAllPodsAndAppContainersAlone) {
  Hold("side", {{"x/a", {{"d9", {}}}}});
  Hold("app", {{"x/a", {{"d1", {0, 1}}, {"d0", {}}}}});
  ::v1alpha1::ListPodResourcesResponse response;
  Lister().ListOld(&response);
  EXPECT_THAT(response, EqualsText(R"pb(
                pod_resources {
                  name: "a"
                  namespace: "ns"
                  containers {
                    name: "app"
                    devices { resource_name: "x/a" device_ids: "d0" device_ids: "d1" }
                  }
                }
                pod_resources {
                  name: "old"
                  namespace: "ns"
                  containers { name: "app" }
                })pb"));
  EXPECT_EQ(source_.collections, 1);
}

TEST_F(PodResourcesListerTest, CallsAreCountedByVersionAndMethod) {
  List();
  List();
  ::v1alpha1::ListPodResourcesResponse old;
  Lister().ListOld(&old);
  EXPECT_EQ(Count("requests_total"), 2);
  EXPECT_EQ(Count("requests_list"), 2);
  EXPECT_EQ(Count("requests_total", "v1alpha1"), 1);
  EXPECT_EQ(Count("errors_list"), std::nullopt);
}

}  // namespace
}  // namespace kubelet_cm::podresources
