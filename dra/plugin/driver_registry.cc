#include "dra/plugin/driver_registry.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status/check.h"
#include "common/status/status_macros.h"

namespace kubelet_cm::dra {
namespace {

std::unique_ptr<SliceWiper> NewWiper(const DriverRegistry::Dependencies& deps) {
  if (deps.slices == nullptr || !deps.kubelet.dra_drivers.wipe_delay.has_value()) return nullptr;
  return std::make_unique<SliceWiper>(SliceWiper::Dependencies{
      .threads = deps.threads, .log = deps.log, .random = deps.random, .slices = *deps.slices});
}

// What the driver speaks, as log lines have it.
std::string ServiceOf(DraApi api) { return std::string(ServiceName(api).empty() ? ApiName(api) : ServiceName(api)); }

}  // namespace

DriverRegistry::DriverRegistry(Dependencies dependencies)
    : deps_(std::move(dependencies)), wiper_(NewWiper(deps_)), list_(deps_.kubelet.dra_drivers) {
  CHECK(!deps_.kubelet.dra_offer.none()) << "a kubelet without DRA has no drivers";
  if (wiper_ != nullptr) wiper_->WipeAll();
}

DriverRegistry::~DriverRegistry() {
  absl::flat_hash_map<DriverInstanceId, Instance> rest;
  {
    MutexLock lock(&mu_);
    rest.swap(instances_);
  }
  for (const auto& [id, instance] : rest) instance->Stop();
}

void DriverRegistry::DisconnectAll() {
  std::vector<Instance> all;
  {
    MutexLock lock(&mu_);
    for (const auto& [id, instance] : instances_) all.push_back(instance);
  }
  for (const Instance& instance : all) instance->Stop();
}

absl::Status DriverRegistry::Validate(const DriverInfo& driver) const {
  std::optional<DriverVersion> registered;
  {
    MutexLock lock(&mu_);
    registered = list_.VersionOf(driver.driver_name);
  }
  return ChooseServices(deps_.kubelet.dra_offer, driver, RegistrationStep::kValidate, registered).status();
}

absl::Status DriverRegistry::Register(const DriverInfo& driver) {
  std::optional<DriverVersion> registered;
  absl::Status room;
  RegisteredDriver info{.driver_name = driver.driver_name, .endpoint = driver.endpoint};
  {
    MutexLock lock(&mu_);
    registered = list_.VersionOf(driver.driver_name);
    room = list_.CheckAddition(driver.driver_name, driver.endpoint);
    info.id = ++last_id_;
  }
  ASSIGN_OR_RETURN(const DraServices services,
                   ChooseServices(deps_.kubelet.dra_offer, driver, RegistrationStep::kRegister, registered));
  RETURN_IF_ERROR(room);
  deps_.log.V(4).Info("Creating new gRPC connection", {{"target", absl::StrCat("unix:", driver.endpoint)}});
  ASSIGN_OR_RETURN(const ConnectedDriver connected,
                   deps_.connect({.driver_name = driver.driver_name,
                                  .endpoint = driver.endpoint,
                                  .api = services.api,
                                  .remembers_fallback = deps_.kubelet.dra_drivers.remembers_fallback,
                                  .connect_limit = deps_.kubelet.dra_drivers.connect_limit}));
  info.health = services.health;
  info.connection = connected.connection;
  const auto instance = std::make_shared<DriverInstance>(deps_.threads, std::move(info), connected.client);
  ASSIGN_OR_RETURN(const Added added, Add(instance, services.version));
  deps_.log.V(3).Info("Registered DRA plugin", {{"driverName", driver.driver_name},
                                                {"endpoint", driver.endpoint},
                                                {"chosenService", ServiceOf(services.api)},
                                                {"numPlugins", added.instances}});
  WarnUnless(added.wiping_synced, driver.driver_name);
  DeliverAnnouncements();
  if (deps_.kubelet.dra_drivers.monitors_connections) instance->Watch(*this);
  return absl::OkStatus();  // those that were replaced go here, which disconnects them
}

absl::StatusOr<DriverRegistry::Added> DriverRegistry::Add(const Instance& instance,
                                                          const std::optional<DriverVersion>& version) {
  const RegisteredDriver& info = instance->info();
  MutexLock lock(&mu_);
  // Looked at before, but another one may have come meanwhile.
  ASSIGN_OR_RETURN(const DriverList::Addition addition,
                   list_.Add(info.driver_name, {.id = info.id, .endpoint = info.endpoint, .version = version}));
  Added added{.instances = addition.instances};
  instances_.emplace(info.id, instance);
  announcements_.push_back({.registered = true, .driver = info});
  for (const DriverInstanceId id : addition.replaced) added.replaced.push_back(Take(id));
  added.wiping_synced = SyncWiping(info.driver_name);
  return added;
}

void DriverRegistry::Deregister(const std::string& driver_name, const std::string& endpoint) {
  std::optional<DriverList::Removal> removal;
  Instance gone;
  bool wiping_synced = true;
  {
    MutexLock lock(&mu_);
    removal = list_.Remove(driver_name, endpoint);
    if (!removal.has_value()) return;
    gone = Take(removal->id);
    wiping_synced = SyncWiping(driver_name);
  }
  deps_.log.V(3).Info(
      "Unregistered DRA plugin",
      {{"driverName", driver_name}, {"endpoint", gone->info().endpoint}, {"numPlugins", removal->instances}});
  WarnUnless(wiping_synced, driver_name);
  DeliverAnnouncements();
  gone.reset();  // disconnects
}

DriverRegistry::Instance DriverRegistry::Take(DriverInstanceId id) {
  Instance taken = std::move(instances_.extract(id).mapped());
  announcements_.push_back({.registered = false, .driver = taken->info()});
  return taken;
}

std::vector<DriverRegistry::Listed> DriverRegistry::List() const {
  MutexLock lock(&mu_);
  std::vector<Listed> listed;
  for (auto& [driver, instance] : list_.All()) {
    const absl::StatusOr<ListedDriver> chosen = list_.Choose(driver);
    listed.push_back({.driver_name = driver,
                      .endpoint = instance.endpoint,
                      .monitored = deps_.kubelet.dra_drivers.monitors_connections,
                      .connected = instance.connected,
                      .chosen = chosen.ok() && chosen->id == instance.id});
  }
  return listed;
}

absl::StatusOr<std::shared_ptr<DraClient>> DriverRegistry::Find(std::string_view driver_name) const {
  absl::StatusOr<ListedDriver> chosen = absl::UnknownError("not looked for");
  std::shared_ptr<DraClient> client;
  {
    MutexLock lock(&mu_);
    chosen = list_.Choose(driver_name);
    if (chosen.ok()) client = instances_.at(chosen->id)->client();
  }
  if (absl::IsNotFound(chosen.status())) deps_.log.V(5).Info("No plugin registered", {{"driverName", driver_name}});
  RETURN_IF_ERROR(chosen.status());
  if (chosen->connected) {
    deps_.log.V(5).Info("Preferring connected plugin", {{"driverName", driver_name}, {"endpoint", chosen->endpoint}});
  } else {
    deps_.log.V(5).Info("No plugin connected, using latest one",
                        {{"driverName", driver_name}, {"endpoint", chosen->endpoint}});
  }
  return client;
}

void DriverRegistry::OnConnection(const RegisteredDriver& driver, bool connected) {
  bool wiping_synced = true;
  {
    MutexLock lock(&mu_);
    if (!list_.SetConnected(driver.driver_name, driver.id, connected)) return;  // it has been deregistered
    wiping_synced = SyncWiping(driver.driver_name);
  }
  deps_.log.V(2).Info("Connection changed",
                      {{"driverName", driver.driver_name}, {"endpoint", driver.endpoint}, {"connected", connected}});
  WarnUnless(wiping_synced, driver.driver_name);
}

bool DriverRegistry::SyncWiping(const std::string& driver_name) {
  if (wiper_ == nullptr) return true;
  if (!list_.IsUsable(driver_name)) {
    return wiper_->Schedule(driver_name, deps_.threads.clock().MonotonicNow() + *deps_.kubelet.dra_drivers.wipe_delay);
  }
  wiper_->Cancel(driver_name);
  return true;
}

void DriverRegistry::WarnUnless(bool wiping_synced, const std::string& driver_name) {
  if (wiping_synced) return;
  deps_.log.Warning("ResourceSlices of a DRA driver that is not there stay, because too many are to be wiped already",
                    {{"driverName", driver_name}});
}

void DriverRegistry::DeliverAnnouncements() {
  {
    MutexLock lock(&mu_);
    if (delivering_) return;
    delivering_ = true;
  }
  while (const std::optional<Announcement> next = NextAnnouncement()) {
    if (deps_.listener == nullptr) continue;
    next->registered ? deps_.listener->OnRegistered(next->driver) : deps_.listener->OnDeregistered(next->driver);
  }
}

std::optional<DriverRegistry::Announcement> DriverRegistry::NextAnnouncement() {
  MutexLock lock(&mu_);
  if (announcements_.empty()) {
    delivering_ = false;
    return std::nullopt;
  }
  Announcement next = std::move(announcements_.front());
  announcements_.pop_front();
  return next;
}

}  // namespace kubelet_cm::dra
