#include "kubelet_cm/pluginwatcher/plugin_watcher.h"

#include <functional>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "common/clock/fake_clock.h"
#include "common/filesystem/fake_file_system.h"
#include "common/folderwatch/fake_folder_watches.h"
#include "common/log/capturing_logger.h"
#include "common/metrics/metric_value.h"
#include "common/status/status_matchers.h"
#include "common/threads/seeded_threads.h"
#include "kubelet_cm/pluginwatcher/fake_registration_clients.h"
#include "kubelet_cm/pluginwatcher/recording_plugin_handler.h"

namespace kubelet_cm::pluginwatcher {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Kind = FolderEvent::Kind;

// A watcher of a folder in memory, with plugins in memory, one thread at a time. Made inside SeededThreads::Run.
class World : private PluginWatcherListener {
 public:
  explicit World(SeededThreads& seeded) : threads(seeded), settled_(seeded, "everything to settle") {}

  void Start(PluginWatcher::Options options = {}) {
    options.folder = "/r";
    auto watcher = PluginWatcher::New({.files = files,
                                       .watches = watches,
                                       .threads = threads,
                                       .log = log,
                                       .metrics = metrics,
                                       .handlers = {{"T", &handler}},
                                       .make_client = plugins.Maker(),
                                       .listener = this},
                                      options);
    ASSERT_OK(watcher);
    watcher_ = *std::move(watcher);
    Settle();
  }
  void Stop() { watcher_.reset(); }
  PluginWatcher& watcher() { return *watcher_; }

  // The clock moves only when no thread has anything to do.
  void Pass(absl::Duration time) { settled_.WaitFor(time); }
  void Settle() { Pass(absl::Milliseconds(1)); }

  void AddSocket(const std::string& path, const std::string& name, bool hangs = false) {
    plugins.Serve(path, {.info = {.type = "T", .name = name, .endpoint = absl::StrCat("/", name)}, .hangs = hangs});
    ASSERT_OK(files.AddSocket(path));
  }
  void Appear(const std::string& path, const std::string& name) {
    AddSocket(path, name);
    watches.Push({Kind::kAppeared, path});
    Settle();
  }
  void Vanish(const std::string& path) {
    ASSERT_OK(files.Unlink(path));
    watches.Push({Kind::kVanished, path});
    Settle();
  }
  PluginState StateOf(const std::string& path) {
    for (const PluginRow& row : watcher().List()) {
      if (row.path == path) return row.state;
    }
    ADD_FAILURE() << "no row for " << path;
    return PluginState::kWaiting;
  }

  SeededThreads& threads;
  FakeFileSystem files;
  FakeFolderWatches watches{threads};
  FakeRegistrationClients plugins{threads};
  CapturingLogger log;
  MetricsRegistry metrics;
  RecordingPluginHandler handler;
  std::vector<std::string> told;  // to be read when all is settled

 private:
  void OnPluginRegistered(const std::string& path, const PluginInfo&) override { Tell("registered ", path); }
  void OnPluginFailed(const std::string& path, const PluginInfo&, const std::string&) override {
    Tell("failed ", path);
  }
  void OnPluginUnregistered(const std::string& path, const PluginInfo&) override { Tell("unregistered ", path); }
  void Tell(const char* what, const std::string& path) {
    MutexLock lock(&mu_);
    told.push_back(absl::StrCat(what, path));
  }

  Event settled_;
  Mutex mu_;
  std::unique_ptr<PluginWatcher> watcher_;
};

// Runs a story under a few orders of events.
void Tell(const std::function<void(World&)>& story) {
  for (uint64_t seed = 0; seed < 8; ++seed) {
    FakeClock clock;
    SeededThreads threads(clock, {.seed = seed});
    EXPECT_OK(threads.Run([&] {
      World world(threads);
      ASSERT_OK(world.files.MakeFolders("/r", 0750));
      story(world);
      world.Stop();
    }));
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(PluginWatcherTest, PluginsThatAreThereAndPluginsThatAppearAreRegisteredAtOnce) {
  Tell([](World& world) {
    world.AddSocket("/r/a.sock", "a");
    world.Start();
    EXPECT_EQ(world.StateOf("/r/a.sock"), PluginState::kRegistered);
    world.Appear("/r/b.sock", "b");
    EXPECT_THAT(world.plugins.Told("/r/b.sock"), ElementsAre("registered"));
    EXPECT_THAT(world.handler.Calls(), ElementsAre("validate a /a", "register a /a", "validate b /b", "register b /b"));
    EXPECT_THAT(world.told, ElementsAre("registered /r/a.sock", "registered /r/b.sock"));
  });
}

TEST(PluginWatcherTest, APluginWhoseSocketGoesIsDeregisteredWithoutBeingAsked) {
  Tell([](World& world) {
    world.Start();
    world.Appear("/r/a.sock", "a");
    world.Vanish("/r/a.sock");
    EXPECT_THAT(world.handler.Calls(), ElementsAre("validate a /a", "register a /a", "deregister a /a"));
    EXPECT_EQ(world.plugins.Connects("/r/a.sock"), 1);
    EXPECT_THAT(world.watcher().List(), IsEmpty());
    EXPECT_THAT(world.told, ElementsAre("registered /r/a.sock", "unregistered /r/a.sock"));
  });
}

TEST(PluginWatcherTest, ARenamedPluginStaysRegisteredUnderItsNewName) {
  Tell([](World& world) {
    world.Start();
    world.Appear("/r/a.sock", "a");
    world.plugins.Serve("/r/b.sock", {.info = {.type = "T", .name = "a", .endpoint = "/a"}});
    ASSERT_OK(world.files.Rename("/r/a.sock", "/r/b.sock"));
    world.watches.Push({Kind::kVanished, "/r/a.sock"});
    world.watches.Push({Kind::kAppeared, "/r/b.sock"});
    world.Settle();
    EXPECT_EQ(world.StateOf("/r/b.sock"), PluginState::kRegistered);
    ASSERT_FALSE(world.handler.Calls().empty());
    EXPECT_EQ(world.handler.Calls().back(), "register a /a");
  });
}

TEST(PluginWatcherTest, ASocketThatIsMadeAgainIsUnregisteredAndRegistered) {
  Tell([](World& world) {
    world.Start();
    world.Appear("/r/a.sock", "a");
    ASSERT_OK(world.files.Unlink("/r/a.sock"));
    ASSERT_OK(world.files.AddSocket("/r/a.sock"));
    world.watches.Push({Kind::kVanished, "/r/a.sock"});
    world.watches.Push({Kind::kAppeared, "/r/a.sock"});
    world.Settle();
    EXPECT_THAT(world.handler.Calls(),
                ElementsAre("validate a /a", "register a /a", "deregister a /a", "validate a /a", "register a /a"));
  });
}

TEST(PluginWatcherTest, APluginThatFailsIsTriedAgainLaterAndLater) {
  Tell([](World& world) {
    world.handler.FailValidations(absl::InvalidArgumentError("bad"));
    world.Start();
    world.Appear("/r/a.sock", "a");
    EXPECT_EQ(world.StateOf("/r/a.sock"), PluginState::kFailed);
    EXPECT_THAT(world.told, ElementsAre("failed /r/a.sock"));
    EXPECT_THAT(world.watcher().List()[0].error, HasSubstr("plugin validation failed with err: bad"));
    world.Pass(absl::Milliseconds(490));
    EXPECT_EQ(world.plugins.Connects("/r/a.sock"), 1);
    world.Pass(absl::Milliseconds(20));
    EXPECT_EQ(world.plugins.Connects("/r/a.sock"), 2);
    world.handler.FailValidations(absl::OkStatus());
    world.Pass(absl::Seconds(2));
    EXPECT_EQ(world.StateOf("/r/a.sock"), PluginState::kRegistered);
    EXPECT_EQ(world.plugins.Connects("/r/a.sock"), 3);
    EXPECT_THAT(
        world.log.lines(),
        Contains(AllOf(IsLogLine(Severity::kError, "Operation failed. No retries permitted until the time given"),
                       HasLogField("durationBeforeRetry", HasSubstr("500ms")))));
  });
}

TEST(PluginWatcherTest, PluginsThatHangDoNotHoldUpOthers) {
  Tell([](World& world) {
    for (int i = 0; i < 7; ++i) world.AddSocket(absl::StrCat("/r/bad", i, ".sock"), "bad", /*hangs=*/true);
    world.Start({.limits = {.registrations = 8, .retries = 4}});
    EXPECT_EQ(world.plugins.connecting(), 7);
    world.Appear("/r/good.sock", "good");
    EXPECT_EQ(world.StateOf("/r/good.sock"), PluginState::kRegistered);
    world.Pass(absl::Seconds(11));
    EXPECT_EQ(world.plugins.connecting(), 4);
  });
}

TEST(PluginWatcherTest, LostEventsAreMadeUpForByALookAtEverything) {
  Tell([](World& world) {
    world.Start();
    world.Appear("/r/a.sock", "a");
    ASSERT_OK(world.files.Unlink("/r/a.sock"));
    world.AddSocket("/r/b.sock", "b");
    world.watches.Push({Kind::kLost});
    world.Pass(absl::Seconds(2));
    EXPECT_EQ(world.StateOf("/r/b.sock"), PluginState::kRegistered);
    EXPECT_THAT(world.watcher().List(), SizeIs(1));
  });
}

TEST(PluginWatcherTest, TheFolderIsLookedAtEveryMinuteWhateverIsHeard) {
  Tell([](World& world) {
    world.Start();
    world.AddSocket("/r/a.sock", "a");
    world.Pass(absl::Seconds(58));
    EXPECT_THAT(world.watcher().List(), IsEmpty());
    world.Pass(absl::Seconds(3));
    EXPECT_EQ(world.StateOf("/r/a.sock"), PluginState::kRegistered);
  });
}

TEST(PluginWatcherTest, PluginsInFoldersBelowComeAndGoWithThem) {
  Tell([](World& world) {
    world.Start();
    ASSERT_OK(world.files.MakeFolders("/r/sub", 0750));
    world.AddSocket("/r/sub/a.sock", "a");
    world.watches.Push({Kind::kAppeared, "/r/sub"});
    world.Settle();
    EXPECT_EQ(world.StateOf("/r/sub/a.sock"), PluginState::kRegistered);
    world.Appear("/r/sub/b.sock", "b");
    EXPECT_EQ(world.StateOf("/r/sub/b.sock"), PluginState::kRegistered);
    ASSERT_OK(world.files.EraseTree("/r/sub"));
    world.watches.Push({Kind::kVanished, "/r/sub"});
    world.Settle();
    EXPECT_THAT(world.watcher().List(), IsEmpty());
  });
}

TEST(PluginWatcherTest, AFolderThatIsRemovedIsMadeAndWatchedAgain) {
  Tell([](World& world) {
    world.Start();
    world.Appear("/r/a.sock", "a");
    ASSERT_OK(world.files.EraseTree("/r"));
    world.watches.Push({Kind::kVanished, "/r"});
    world.Pass(absl::Seconds(2));
    EXPECT_THAT(world.watcher().List(), IsEmpty());
    world.Appear("/r/b.sock", "b");
    EXPECT_EQ(world.StateOf("/r/b.sock"), PluginState::kRegistered);
  });
}

TEST(PluginWatcherTest, HiddenSocketsAndLinksAreNoPlugins) {
  Tell([](World& world) {
    world.Start();
    world.Appear("/r/.a.sock", "a");
    ASSERT_OK(world.files.AddSocket("/elsewhere.sock"));
    ASSERT_OK(world.files.AddSymlink("/elsewhere.sock", "/r/link.sock"));
    world.watches.Push({Kind::kAppeared, "/r/link.sock"});
    world.Settle();
    EXPECT_THAT(world.watcher().List(), IsEmpty());
    EXPECT_THAT(world.log.lines(),
                Contains(AllOf(IsLogLine(Severity::kWarning, "A symbolic link in the plugin folder is not followed"),
                               HasLogField("path", "/r/link.sock"))));
  });
}

TEST(PluginWatcherTest, NoMoreThanSoManyPluginsAreTaken) {
  Tell([](World& world) {
    world.Start({.limits = {.plugins = 1}});
    world.Appear("/r/a.sock", "a");
    world.Appear("/r/b.sock", "b");
    EXPECT_THAT(world.watcher().List(), ElementsAre(Field(&PluginRow::path, "/r/a.sock")));
    EXPECT_THAT(world.log.lines(),
                Contains(AllOf(IsLogLine(Severity::kWarning, "Plugin sockets are left out, because too many are there"),
                               HasLogField("limit", "1"))));
  });
}

TEST(PluginWatcherTest, TheGaugeShowsWhatIsThereAndWhatIsRegistered) {
  Tell([](World& world) {
    world.Start();
    world.Appear("/r/a.sock", "a");
    const auto value = [&](const char* state) {
      return MetricValue(world.metrics, "plugin_manager_total_plugins",
                         {{"socket_path", "/r/a.sock"}, {"state", state}});
    };
    EXPECT_EQ(value("desired_state_of_world"), 1);
    EXPECT_EQ(value("actual_state_of_world"), 1);
    world.Vanish("/r/a.sock");
    EXPECT_EQ(value("desired_state_of_world"), std::nullopt);
    EXPECT_EQ(value("actual_state_of_world"), std::nullopt);
  });
}

TEST(PluginWatcherTest, StoppingCutsTheTalkWithPluginsShort) {
  Tell([](World& world) {
    world.AddSocket("/r/bad.sock", "bad", /*hangs=*/true);
    world.Start();
    world.watcher().Stop();
    world.Settle();
    EXPECT_EQ(world.plugins.connecting(), 0);
    EXPECT_THAT(world.told, IsEmpty());
  });
}

TEST(PluginWatcherTest, AFolderThatCannotBeWatchedIsAnError) {
  Tell([](World& world) {
    world.watches.FailAdds(absl::ResourceExhaustedError("no more"));
    EXPECT_THAT(PluginWatcher::New({.files = world.files,
                                    .watches = world.watches,
                                    .threads = world.threads,
                                    .log = world.log,
                                    .metrics = world.metrics},
                                   {.folder = "/r"}),
                StatusIs(absl::StatusCode::kResourceExhausted, "failed to start plugin fsWatcher, err: no more"));
  });
}

}  // namespace
}  // namespace kubelet_cm::pluginwatcher
