#include "kubelet_cm/http/connection_stream.h"

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <string>

#include "common/clock/real_clock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::http {
namespace {

class ConnectionStreamTest : public ::testing::Test {
 protected:
  ConnectionStreamTest() { EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends_.data()), 0); }
  ~ConnectionStreamTest() override {
    for (const int end : ends_) close(end);
  }

  // What a stream with these limits reads of `text`, up to what it refuses.
  std::string ReadBack(const std::string& text, const ConnectionLimits& limits) {
    EXPECT_EQ(send(ends_[1], text.data(), text.size(), 0), static_cast<ssize_t>(text.size()));
    ConnectionStream stream(ends_[0], clock_, limits);
    std::string all;
    char byte = 0;
    while (stream.read(&byte, 1) == 1) all.push_back(byte);
    return all;
  }

  RealClock clock_;
  std::array<int, 2> ends_ = {};
};

TEST_F(ConnectionStreamTest, ARequestHasALargestSize) {
  EXPECT_EQ(ReadBack(std::string(5000, 'x'), {.request_bytes = 4999}).size(), 4999u);
}

TEST_F(ConnectionStreamTest, ARequestHasALongestTime) {
  EXPECT_EQ(ReadBack("GET", {.request_time = absl::Milliseconds(20)}), "GET");
}

TEST_F(ConnectionStreamTest, AnEndOfTheConnectionEndsReading) {
  ASSERT_EQ(shutdown(ends_[1], SHUT_WR), 0);
  ConnectionStream stream(ends_[0], clock_, {});
  char byte = 0;
  EXPECT_EQ(stream.read(&byte, 1), -1);
}

TEST_F(ConnectionStreamTest, AnAnswerThatNobodyTakesIsGivenUp) {
  const std::string answer(8 << 20, 'x');
  ConnectionStream stream(ends_[0], clock_, {.answer_time = absl::Milliseconds(20)});
  EXPECT_EQ(stream.write(answer.data(), answer.size()), -1);
}

TEST_F(ConnectionStreamTest, WritingToWhoIsGoneIsAnErrorAndNoSignal) {
  close(ends_[1]);
  ends_[1] = dup(ends_[0]);
  ConnectionStream stream(ends_[0], clock_, {});
  EXPECT_EQ(stream.write("answer", 6), -1);
}

TEST_F(ConnectionStreamTest, BytesGoThroughUnchanged) {
  ConnectionStream stream(ends_[0], clock_, {});
  EXPECT_EQ(stream.write("answer", 6), 6);
  std::array<char, 16> bytes = {};
  EXPECT_EQ(recv(ends_[1], bytes.data(), bytes.size(), 0), 6);
  EXPECT_EQ(std::string(bytes.data(), 6), "answer");
}

}  // namespace
}  // namespace kubelet_cm::http
