// The main() of every test. gMock's initialisation includes GoogleTest's. Death tests start a process of their own
// instead of forking one with threads in it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

int main(int argc, char** argv) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  ::testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}
