// SPDX-License-Identifier: Apache-2.0
// Tables of operator times. Titles, columns and their widths are those that scripts around
// TensorFlow Lite's benchmark tool know.
#include "tensorflow/lite/profiling/profile_summary_formatter.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <utility>

#include "api/profiling/proto_message.h"
#include "base/str_cat.h"
#include "tensorflow/lite/minimal_logging.h"

namespace tflite {
namespace profiling {
namespace {

using Row = ProfileSummary::Row;
using Table = ProfileSummary::Table;
using tern::ProtoMessage;
using tern::StrCat;

enum class Style { kNone, kText, kCsv };  // of tables

constexpr size_t kMaxTimeRows = 10;  // of the table that is sorted by time
constexpr char kRule[] = "==============================";

// Texts of any length, such as names of nodes.
[[gnu::format(printf, 1, 2)]] std::string Format(const char* format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  std::string text(static_cast<size_t>(std::vsnprintf(nullptr, 0, format, arguments)), ' ');
  std::vsnprintf(text.data(), text.size() + 1, format, again);
  va_end(again);
  va_end(arguments);
  return text;
}

double Ms(double us) { return us / 1000.0; }
double Percent(double part, double whole) { return whole > 0 ? 100.0 * part / whole : 0; }
long long PerRun(int64_t count, const Table& table) {
  return count / std::max<int64_t>(1, table.run_us.count());
}

std::string NodeRows(const char* title, const std::vector<const Row*>& rows, const Table& table,
                     bool csv) {
  std::string text = StrCat(kRule, " ", title, " ", kRule, "\n");
  text += csv ? "node type, first, avg_ms, %, cdf%, mem KB, times called, name\n"
              : Format("\t%40s\t%9s\t%9s\t%8s\t%8s\t%10s\t%9s\t%s\n", "[node type]", "[first]",
                       "[avg ms]", "[%]", "[cdf%]", "[mem KB]", "[times called]", "[Name]");
  const auto whole = static_cast<double>(table.run_us.Sum());
  double sum = 0;
  for (const Row* row : rows) {
    const auto part = static_cast<double>(row->us.Sum());
    sum += part;
    const double first = Ms(static_cast<double>(row->us.First()));
    const double mean = Ms(row->us.Mean());
    const double kb = static_cast<double>(row->bytes.Last()) / 1000.0;
    const long long calls = PerRun(row->us.count(), table);
    if (csv) {
      std::string name = row->name;
      std::replace(name.begin(), name.end(), ',', '\t');
      text += StrCat(row->type, ", ", first, ", ", mean, ", ", Percent(part, whole), "%, ",
                     Percent(sum, whole), "%, ", kb, ", ", calls, ", ", name, "\n");
    } else {
      text += Format("\t%40s\t%9.3f\t%9.3f\t%7.3f%%\t%7.3f%%\t%10.3f\t%9lld\t%s\n",
                     row->type.c_str(), first, mean, Percent(part, whole), Percent(sum, whole), kb,
                     calls, row->name.c_str());
    }
  }
  return text + "\n";
}

struct TypeSum {
  std::string type;
  int64_t count = 0;
  int64_t us = 0;  // per run
  int64_t bytes = 0;
  int64_t calls = 0;  // per run
};

// The slowest type first.
std::vector<TypeSum> ByType(const Table& table) {
  std::map<std::string, TypeSum> sums;
  for (const Row& row : table.rows) {
    TypeSum& sum = sums[row.type];
    sum.type = row.type;
    sum.count += 1;
    sum.us += PerRun(row.us.Sum(), table);
    sum.bytes += row.bytes.Last();
    sum.calls += PerRun(row.us.count(), table);
  }
  std::vector<TypeSum> sorted;
  sorted.reserve(sums.size());
  for (auto& [type, sum] : sums) sorted.push_back(std::move(sum));
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const TypeSum& a, const TypeSum& b) { return a.us > b.us; });
  return sorted;
}

std::string TypeRows(const Table& table, bool csv) {
  std::string text = StrCat("Number of nodes executed: ", table.rows.size(), "\n", kRule,
                            " Summary by node type ", kRule, "\n");
  text += csv ? "node type, count, avg_ms, avg %, cdf %, mem KB, times called\n"
              : Format("\t%40s\t%9s\t%10s\t%11s\t%11s\t%10s\t%10s\n", "[Node type]", "[count]",
                       "[avg ms]", "[avg %]", "[cdf %]", "[mem KB]", "[times called]");
  const std::vector<TypeSum> sums = ByType(table);
  double whole = 0;
  for (const TypeSum& sum : sums) whole += static_cast<double>(sum.us);
  double share = 0;
  for (const TypeSum& sum : sums) {
    const double percent = Percent(static_cast<double>(sum.us), whole);
    share += percent;
    const double ms = Ms(static_cast<double>(sum.us));
    const double kb = static_cast<double>(sum.bytes) / 1000.0;
    text += csv ? StrCat(sum.type, ", ", sum.count, ", ", ms, ", ", percent, "%, ", share, "%, ",
                         kb, ", ", sum.calls, "\n")
                : Format("\t%40s\t%9lld\t%10.3f\t%10.3f%%\t%10.3f%%\t%10.3f\t%9lld\n",
                         sum.type.c_str(), static_cast<long long>(sum.count), ms, percent, share,
                         kb, static_cast<long long>(sum.calls));
  }
  return text + "\n";
}

std::string Tables(const Table& table, Style style) {
  if (style == Style::kNone) return "";
  const bool csv = style == Style::kCsv;
  std::vector<const Row*> rows;
  rows.reserve(table.rows.size());
  for (const Row& row : table.rows) rows.push_back(&row);
  std::string text = NodeRows("Run Order", rows, table, csv);
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row* a, const Row* b) { return a->us.Mean() > b->us.Mean(); });
  rows.resize(std::min(rows.size(), kMaxTimeRows));
  text += NodeRows("Top by Computation Time", rows, table, csv);
  return text + TypeRows(table, csv);
}

std::string ShortSummary(const Table& table) {
  return StrCat("Timings (microseconds): ", table.run_us.Text(), "\nMemory (bytes): count=0\n",
                table.rows.size(), " nodes observed\n\n");
}

std::string Report(const ProfileSummary& summary, Style style) {
  std::string text;
  for (const Table& table : summary.subgraphs) {
    const std::string name = StrCat("name: ", table.name, ")");
    const std::string title = StrCat("Subgraph (index: ", table.subgraph, ", ", name);
    if (summary.subgraphs.size() > 1 && style != Style::kNone) {
      text += (table.subgraph == 0 ? StrCat("Primary graph (", name) : title) + " profile:\n";
    }
    text += Tables(table, style);
    if (table.subgraph != 0) text += title + " ";
    text += ShortSummary(table);
  }
  if (summary.delegates.run_us.count() == 0) return text;
  return StrCat(text, "Delegate internal: \n", Tables(summary.delegates, style),
                ShortSummary(summary.delegates));
}

// ---- messages of profiling_info.proto; the numbers of fields are those of that file.

// OpProfilingStat, in units of `unit`.
ProtoMessage StatMessage(const Stat& stat, int64_t unit) {
  const auto scale = static_cast<double>(unit);
  ProtoMessage message;
  message.AddInt(1, stat.First() / unit);
  message.AddInt(2, stat.Last() / unit);
  message.AddInt(3, static_cast<int64_t>(stat.Mean() / scale));
  message.AddFloat(4, static_cast<float>(static_cast<double>(stat.Deviation()) / scale));
  message.AddFloat(5, static_cast<float>(stat.Variance() / (scale * scale)));
  message.AddInt(6, stat.Min() / unit);
  message.AddInt(7, stat.Max() / unit);
  message.AddInt(8, stat.Sum() / unit);
  message.AddInt(9, stat.count());
  return message;
}

// OpProfileData of every row, as field `field`.
void AddRows(const Table& table, int field, ProtoMessage* message) {
  for (const Row& row : table.rows) {
    ProtoMessage op;
    op.AddBytes(1, row.type);
    op.AddMessage(2, StatMessage(row.us, 1));
    op.AddMessage(3, StatMessage(row.bytes, 1000));
    op.AddInt(4, table.run_us.count() > 0 ? PerRun(row.us.count(), table) : 0);
    op.AddBytes(5, row.name);
    op.AddInt(6, row.order);
    message->AddMessage(field, op);
  }
}

}  // namespace

std::string ProfileSummaryFormatter::GetShortSummary(const ProfileSummary& summary) const {
  return Report(summary, Style::kNone);
}

std::string ProfileSummaryFormatter::Combine(const std::string& init_output,
                                             const std::string& run_output) const {
  std::string text;
  if (!init_output.empty()) {
    text += StrCat("Profiling Info for Benchmark Initialization:\n", init_output, "\n");
  }
  if (!run_output.empty()) {
    text += StrCat("Operator-wise Profiling Info for Regular Benchmark Runs:\n", run_output, "\n");
  }
  return text;
}

void ProfileSummaryFormatter::HandleOutput(const std::string& init_output,
                                           const std::string& run_output,
                                           const std::string& output_file_path) const {
  const std::string text = Combine(init_output, run_output);
  if (output_file_path.empty()) {
    std::cout << text << std::flush;
    return;
  }
  std::ofstream file(output_file_path, std::ios::binary);
  file << text;
  file.close();
  if (!file.good()) {
    TFLITE_LOG_PROD(TFLITE_LOG_ERROR, "Could not write '%s'.", output_file_path.c_str());
  }
}

std::string ProfileSummaryDefaultFormatter::GetOutputString(const ProfileSummary& summary) const {
  return Report(summary, Style::kText);
}

std::string ProfileSummaryCSVFormatter::GetOutputString(const ProfileSummary& summary) const {
  return Report(summary, Style::kCsv);
}

std::string ProfileSummaryProtoFormatter::GetOutputString(const ProfileSummary& summary) const {
  ProtoMessage model;
  for (const Table& table : summary.subgraphs) {
    ProtoMessage subgraph;
    subgraph.AddBytes(1, table.name);
    subgraph.AddInt(2, table.subgraph);
    AddRows(table, 3, &subgraph);
    model.AddMessage(1, subgraph);
  }
  if (summary.delegates.run_us.count() > 0) {
    ProtoMessage delegate;
    AddRows(summary.delegates, 2, &delegate);
    model.AddMessage(2, delegate);
  }
  return model.bytes();
}

std::string ProfileSummaryProtoFormatter::Combine(const std::string& init_output,
                                                  const std::string& run_output) const {
  ProtoMessage message;
  if (!init_output.empty()) message.AddBytes(2, init_output);
  if (!run_output.empty()) message.AddBytes(3, run_output);
  return message.bytes();
}

}  // namespace profiling
}  // namespace tflite
