#include "checkpointmanager/checksum/go_dump.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <unordered_map>
#include <vector>

#include "checkpointmanager/checksum/fnv1a.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using Strings = std::vector<std::string>;

struct Point {
  int64_t x;
  std::optional<Strings> names;
};

void PrintGo(GoDump& dump, const Point& point) {
  dump.Struct([&] {
    dump.Field("X", "int64", point.x);
    dump.Field("names", "[]string", point.names);
  });
}

template <typename T>
std::string Text(const T& value) {
  return GoDumpText([&](GoDump& dump) { dump.Value(value); });
}

std::string TextOfBytes(std::optional<std::string_view> bytes) {
  return GoDumpText([&](GoDump& dump) { dump.BytesField("B", bytes); });
}

TEST(GoDumpTest, PrintsScalars) {
  EXPECT_EQ(Text(true) + Text(false), "truefalse");
  EXPECT_EQ(Text(std::numeric_limits<int64_t>::min()), "-9223372036854775808");
  EXPECT_EQ(Text(std::numeric_limits<uint64_t>::max()), "18446744073709551615");
  EXPECT_EQ(Text(int8_t{-1}) + Text(uint8_t{200}), "-1200");
}

TEST(GoDumpTest, PrintsStringsWithoutQuotesOrEscapes) {
  EXPECT_EQ(Text(std::string("a \"b\"\n\\<\xff>")), "a \"b\"\n\\<\xff>");
  EXPECT_EQ(Text("literal"), "literal");
  EXPECT_EQ(Text(std::string("\0x", 2)), std::string("\0x", 2));
}

TEST(GoDumpTest, TellsNilFromEmpty) {
  EXPECT_EQ(Text(std::optional<Strings>()), "<nil>");
  EXPECT_EQ(Text(std::optional<Strings>(Strings{})), "[]");
  EXPECT_EQ(Text(std::optional<std::map<std::string, int>>()), "<nil>");
  EXPECT_EQ(Text(std::map<std::string, int>()), "map[]");
  EXPECT_EQ(Text(std::nullopt), "<nil>");
}

TEST(GoDumpTest, PrintsElementsOfListsUntypedAndSpaced) {
  EXPECT_EQ(Text(Strings{"a", "", "c d"}), "[a  c d]");
  EXPECT_EQ(Text(std::array<int, 3>{1, -2, 3}), "[1 -2 3]");
  EXPECT_EQ(Text(std::vector<Strings>{{"a", "b"}, {}, {"c"}}), "[[a b] [] [c]]");
}

TEST(GoDumpTest, SortsNumericKeysByNumber) {
  EXPECT_EQ(Text(std::map<int64_t, Strings>{{10, {"d"}}, {-1, {}}, {2, {"b", "c"}}, {0, {"a"}}}),
            "map[-1:[] 0:[a] 2:[b c] 10:[d]]");
}

TEST(GoDumpTest, SortsStringKeysByTheirBytes) {
  const std::string accent = "\xc3\xa9";
  const std::string expected = "map[B:1 a:2 a.b:3 " + accent + ":4]";
  EXPECT_EQ(Text(std::map<std::string, int>{{accent, 4}, {"a.b", 3}, {"a", 2}, {"B", 1}}), expected);
  EXPECT_EQ(Text(std::unordered_map<std::string, int>{{accent, 4}, {"a.b", 3}, {"a", 2}, {"B", 1}}), expected);
  EXPECT_EQ(Text(std::map<std::string, int, std::greater<>>{{accent, 4}, {"a.b", 3}, {"a", 2}, {"B", 1}}), expected);
}

TEST(GoDumpTest, PrintsSetsAsMapsToEmptyStructs) {
  EXPECT_EQ(Text(std::set<std::string>{"b", "a"}), "map[a:{} b:{}]");
  EXPECT_EQ(Text(std::set<std::string>{}), "map[]");
}

TEST(GoDumpTest, PrintsFieldsTypedEvenInsideUntypedStructs) {
  EXPECT_EQ(Text(Point{.x = 7, .names = Strings{"a", "b"}}), "{X:(int64)7 names:([]string)[a b]}");
  EXPECT_EQ(Text(std::vector<Point>{{1, {}}, {2, Strings{}}}),
            "[{X:(int64)1 names:([]string)<nil>} {X:(int64)2 names:([]string)[]}]");
  EXPECT_EQ(Text(std::map<int, Point>{{5, {1, {}}}}), "map[5:{X:(int64)1 names:([]string)<nil>}]");
}

TEST(GoDumpTest, PrintsAStructWithoutFields) {
  EXPECT_EQ(GoDumpText([](GoDump& dump) { dump.Struct([] {}); }), "{}");
}

TEST(GoDumpTest, PrintsPointersWithAStarInTheTypeOrInAngleBrackets) {
  const Point point{.x = 1, .names = {}};
  const Point* const none = nullptr;
  EXPECT_EQ(GoDumpText([&](GoDump& dump) { dump.Typed("*p.Point", point); }),
            "(*p.Point){X:(int64)1 names:([]string)<nil>}");
  EXPECT_EQ(GoDumpText([&](GoDump& dump) { dump.Typed("*p.Point", std::optional<Point>()); }), "(*p.Point)<nil>");
  EXPECT_EQ(Text(std::vector<const Point*>{&point, none}), "[<*>{X:(int64)1 names:([]string)<nil>} <nil>]");
}

TEST(GoDumpTest, PrintsNilInterfacesWithTheirType) {
  EXPECT_EQ(GoDumpText([](GoDump& dump) { dump.Typed("runtime.Object", std::nullopt); }), "(runtime.Object)<nil>");
}

TEST(GoDumpTest, PrintsListsAndMapsElementByElementAsTold) {
  const std::map<std::string, int> map = {{"a", 1}, {"b", 2}};
  EXPECT_EQ(GoDumpText([&](GoDump& dump) {
              dump.MapOf(map, [&](const auto& entry) {
                dump.List(std::vector<int>(entry.second, entry.second), [&](int number) { dump.Value(-number); });
              });
            }),
            "map[a:[-1] b:[-2 -2]]");
}

TEST(GoDumpTest, PrintsBytesAsNumbers) {
  EXPECT_EQ(TextOfBytes(std::nullopt), "B:([]uint8)<nil>");
  EXPECT_EQ(TextOfBytes(""), "B:([]uint8)[]");
  EXPECT_EQ(TextOfBytes(std::string_view("\x00\x09\x0a\x63\x64\xff", 6)), "B:([]uint8)[0 9 10 99 100 255]");
}

TEST(GoDumpTest, PrintsBytesOfAnyLengthAsItPrintsNumbers) {
  std::mt19937 random(1);
  for (const size_t size : {1, 2, 1023, 1024, 1025, 2047, 2048, 2049, 5000, 100'000}) {
    std::string bytes(size, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    const std::vector<uint8_t> numbers(bytes.begin(), bytes.end());
    ASSERT_EQ(TextOfBytes(bytes), "B:([]uint8)" + Text(numbers)) << size;
  }
}

TEST(GoDumpTest, GoesOnAfterBytesAsAfterAnyField) {
  EXPECT_EQ(GoDumpText([](GoDump& dump) {
              dump.Struct([&] {
                dump.BytesField("A", "\x01");
                dump.BytesField("B", std::string());
                dump.BytesField("C", std::nullopt);
                dump.Field("D", "int", 4);
              });
            }),
            "{A:([]uint8)[1] B:([]uint8)[] C:([]uint8)<nil> D:(int)4}");
}

TEST(GoDumpTest, LosesNothingWhereChunksEnd) {
  std::mt19937 random(2);
  for (int round = 0; round < 200; ++round) {
    Strings strings(random() % 40);
    for (std::string& string : strings) string.assign(random() % 900, static_cast<char>('a' + random() % 26));
    if (round % 10 == 0) strings.push_back(std::string(30'000, 'z'));
    std::string expected = "[";
    for (const std::string& string : strings) expected += (expected.size() == 1 ? "" : " ") + string;
    ASSERT_EQ(Text(strings), expected + "]");
  }
}

TEST(GoDumpTest, HandsOverChunksAndNeverTheWhole) {
  const Strings strings(1000, std::string(100, 'x'));
  size_t largest = 0;
  GoDump::Print([&](GoDump& dump) { dump.Value(strings); },
                [&](std::string_view chunk) { largest = std::max(largest, chunk.size()); });
  EXPECT_GT(largest, 0u);
  EXPECT_LE(largest, 8192u);
}

TEST(GoDumpTest, HashesWhatItPrints) {
  const Strings strings(1000, std::string(100, 'x'));
  const auto print = [&](GoDump& dump) { dump.Typed("[]string", strings); };
  EXPECT_EQ(GoDumpChecksum(print), Fnv1a(GoDumpText(print)));
  std::string out = "before ";
  AppendGoDump(print, out);
  EXPECT_EQ(out, "before " + GoDumpText(print));
}

}  // namespace
}  // namespace kubelet_cm
