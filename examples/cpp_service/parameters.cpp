#include "parameters.h"

#include <absl/strings/escaping.h>
#include <google/protobuf/struct.pb.h>
#include <google/protobuf/util/json_util.h>

#include <stdexcept>
#include <vector>

namespace optarena {
namespace {

using google::protobuf::Struct;
using google::protobuf::Value;

constexpr char kCachePrefix[] = "service.benchmark_cache.";
constexpr char kVerify[] = "verify";
constexpr char kRunProgram[] = "service.run_program";
constexpr double kWorkloadSeconds = 60;
constexpr double kWorkloadOutputBytes = 1000000;

std::int64_t NumberOfBytes(const std::string& key, const std::string& value) {
  constexpr std::size_t kDigits = 15;
  const bool digits = value.find_first_not_of("0123456789") == std::string::npos;
  if (value.empty() || !digits || value.size() > kDigits) {
    throw std::invalid_argument(key + ": expected a number of bytes, at most 15 digits, got '" +
                                value + "'");
  }
  return std::stoll(value);
}

[[noreturn]] void RefuseOrder(const std::string& why) {
  throw std::invalid_argument(std::string(kRunProgram) + ": " + why);
}

std::vector<std::string> ArgumentsOf(const Struct& order) {
  const auto found = order.fields().find("arguments");
  bool valid = found != order.fields().end() && found->second.has_list_value();
  std::vector<std::string> arguments;
  if (valid) {
    for (const Value& value : found->second.list_value().values()) {
      valid = valid && value.kind_case() == Value::kStringValue;
      arguments.push_back(value.string_value());
    }
  }
  if (!valid) RefuseOrder("arguments must be a list of texts");
  return arguments;
}

std::string StdinOf(const Struct& order) {
  const auto found = order.fields().find("stdin");
  std::string data;
  if (found != order.fields().end() && !absl::Base64Unescape(found->second.string_value(), &data)) {
    RefuseOrder("stdin is not in base 64");
  }
  return data;
}

double LimitOf(const Struct& order, const std::string& name, double most) {
  const auto found = order.fields().find(name);
  if (found == order.fields().end()) return most;
  const double value = found->second.number_value();
  if (found->second.kind_case() != Value::kNumberValue || !(value > 0 && value <= most)) {
    RefuseOrder(name + " must be a number above 0, at most " +
                std::to_string(static_cast<std::int64_t>(most)));
  }
  return value;
}

std::string RunProgram(const CompilationSession& session, const std::string& value) {
  Struct order;
  if (!google::protobuf::util::JsonStringToMessage(value, &order).ok()) {
    RefuseOrder("expected a JSON object");
  }
  const auto arguments = ArgumentsOf(order);
  const std::string input = StdinOf(order);
  LimitOf(order, "seconds", kWorkloadSeconds);  // the session enforces the limit
  const auto output_bytes =
      static_cast<std::size_t>(LimitOf(order, "output_bytes", kWorkloadOutputBytes));
  ProgramRun run;
  std::string failure;
  try {
    run = session.RunProgram(arguments, input);
  } catch (const std::invalid_argument& error) {
    failure = error.what();
  }
  Struct reply;
  auto& fields = *reply.mutable_fields();
  fields["stdout"].set_string_value(absl::Base64Escape(run.output.substr(0, output_bytes)));
  fields["exit_code"].set_number_value(run.exit_code);
  fields["output_truncated"].set_bool_value(run.output.size() > output_bytes);
  fields["failure"].set_string_value(failure);
  std::string text;
  if (!google::protobuf::util::MessageToJsonString(reply, &text).ok()) {
    throw std::runtime_error("the reply to a run cannot be written as JSON");
  }
  return text;
}

}  // namespace

std::optional<std::string> HandleCacheParameter(BenchmarkCache* cache, const std::string& key,
                                                const std::string& value) {
  const std::size_t prefix = sizeof(kCachePrefix) - 1;
  if (key.compare(0, prefix, kCachePrefix) != 0) return std::nullopt;
  const std::string name = key.substr(prefix);
  if (name == "set_max_size_in_bytes") cache->set_max_size_in_bytes(NumberOfBytes(key, value));
  if (name == "set_max_size_in_bytes" || name == "get_max_size_in_bytes") {
    return std::to_string(cache->max_size_in_bytes());
  }
  if (name == "get_size_in_bytes") return std::to_string(cache->size_in_bytes());
  return std::nullopt;
}

std::optional<std::string> HandleSessionParameter(CompilationSession* session,
                                                  const std::string& key,
                                                  const std::string& value) {
  auto reply = session->HandleParameter(key, value);
  if (!reply && key == kVerify) return session->Verify();
  if (!reply && key == kRunProgram) return RunProgram(*session, value);
  return reply;
}

}  // namespace optarena
