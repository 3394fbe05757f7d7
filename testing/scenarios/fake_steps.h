// What the steps of a scenario mean to fake plugins and drivers, whichever node they are on.
//
// Pure functions.
#ifndef KUBELET_CM_TESTING_SCENARIOS_FAKE_STEPS_H_
#define KUBELET_CM_TESTING_SCENARIOS_FAKE_STEPS_H_

#include <set>
#include <string>

#include "deviceplugin/api/v1beta1.pb.h"
#include "dra/claim/claim_object.h"
#include "testing/fakes/driver_script.h"
#include "testing/fakes/plugin_script.h"
#include "testing/fakes/scripted_driver.h"
#include "testing/fakes/scripted_plugin.h"
#include "testing/scenarios/scenario.pb.h"

namespace kubelet_cm::scenarios {

namespace proto = ::kubeletcm::scenario::v1;

::v1beta1::ListAndWatchResponse ListOf(const google::protobuf::RepeatedPtrField<proto::Device>& devices);
fakes::ScriptedPlugin::Options OptionsOf(const proto::StartPlugin& start);
fakes::ScriptedDriver::Options OptionsOf(const proto::StartDriver& start);
fakes::PluginMethod MethodOfCall(proto::PluginFault::Call call);
fakes::DriverMethod MethodOfCall(proto::DriverFault::Call call);
fakes::PluginStep StepOf(const proto::PluginFault& fault);
fakes::DriverStep StepOf(const proto::DriverFault& fault);
// The fake does what the fault says from now on.
void Arm(fakes::PluginScript& script, const proto::PluginFault& fault);
void Arm(fakes::DriverScript& script, const proto::DriverFault& fault);
// The name of the plugin's socket.
std::string EndpointOf(const std::string& plugin);
// Of namespace "default", allocated, and reserved for the pods with these uids.
dra::ClaimObject ClaimOf(const proto::AddClaim& claim, const std::set<std::string>& reserved_for);

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_FAKE_STEPS_H_
