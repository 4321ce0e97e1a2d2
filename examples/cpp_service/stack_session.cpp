#include "stack_session.h"

#include <openssl/sha.h>

#include <stdexcept>

#include "rewrites.h"

namespace stack {
namespace {

using compiler_gym::Event;
using compiler_gym::Int64Tensor;
using compiler_gym::ObservationSpace;
using optarena::ActionResult;

std::string HexDigest(const std::string& text) {
  constexpr char kDigits[] = "0123456789abcdef";
  unsigned char hash[SHA256_DIGEST_LENGTH];
  SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), hash);
  std::string hex;
  for (const unsigned char byte : hash) {
    hex.push_back(kDigits[byte >> 4U]);
    hex.push_back(kDigits[byte & 0xFU]);
  }
  return hex;
}

Int64Tensor Counts(std::int64_t each) {
  Int64Tensor tensor;
  tensor.add_shape(kOps.size());
  for (std::size_t i = 0; i < kOps.size(); ++i) tensor.add_value(each);
  return tensor;
}

Int64Tensor Histogram(const Program& program) {
  Int64Tensor tensor = Counts(0);
  for (const auto& instruction : program) {
    const int index = static_cast<int>(instruction.op);
    tensor.set_value(index, tensor.value(index) + 1);
  }
  return tensor;
}

ObservationSpace Observable(const std::string& name) {
  ObservationSpace space;
  space.set_name(name);
  space.set_deterministic(true);
  return space;
}

std::vector<ObservationSpace> ObservationSpaces() {
  ObservationSpace code = Observable("code");
  code.mutable_space()->mutable_string_value()->mutable_length_range()->set_min(0);
  code.mutable_default_observation()->set_string_value("");

  ObservationSpace instructions = Observable("instructions");
  instructions.mutable_space()->mutable_int64_value()->set_min(0);
  instructions.mutable_default_observation()->set_int64_value(0);

  ObservationSpace histogram = Observable("histogram");
  *histogram.mutable_space()->mutable_int64_box()->mutable_low() = Counts(0);
  *histogram.mutable_space()->mutable_int64_box()->mutable_high() = Counts(kMaxInstructions);
  *histogram.mutable_default_observation()->mutable_int64_tensor() = Counts(0);

  ObservationSpace digest = Observable("digest");
  auto* length = digest.mutable_space()->mutable_string_value()->mutable_length_range();
  length->set_min(2 * SHA256_DIGEST_LENGTH);
  length->set_max(2 * SHA256_DIGEST_LENGTH);
  digest.mutable_default_observation()->set_string_value(std::string(2 * SHA256_DIGEST_LENGTH, '0'));

  return {code, instructions, histogram, digest};
}

compiler_gym::ActionSpace Rewrites() {
  compiler_gym::ActionSpace space;
  space.set_name("rewrites");
  for (const auto& rewrite : kRewrites) {
    space.mutable_space()->mutable_named_discrete()->add_name(rewrite.name);
  }
  return space;
}

}  // namespace

StackSession::StackSession(const compiler_gym::Benchmark& benchmark)
    : program_(Parse(benchmark.program().contents())) {}

ActionResult StackSession::ApplyAction(const Event& action) {
  Program swept = Swept(program_, kRewrites[static_cast<std::size_t>(action.int64_value())].rule);
  ActionResult result;
  result.had_no_effect = swept == program_;
  program_ = std::move(swept);
  return result;
}

Event StackSession::Observe(const ObservationSpace& space) const {
  Event event;
  if (space.name() == "code") {
    event.set_string_value(TextOf(program_));
  } else if (space.name() == "instructions") {
    event.set_int64_value(static_cast<std::int64_t>(program_.size()));
  } else if (space.name() == "histogram") {
    *event.mutable_int64_tensor() = Histogram(program_);
  } else {
    event.set_string_value(HexDigest(TextOf(program_)));
  }
  return event;
}

std::unique_ptr<optarena::CompilationSession> StackSession::Fork() const {
  return std::make_unique<StackSession>(*this);
}

// Whether the program is still well formed.
std::string StackSession::Verify() const {
  try {
    Parse(TextOf(program_));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

// Arguments have the form `x=3`; the program reads no input.
optarena::ProgramRun StackSession::RunProgram(const std::vector<std::string>& arguments,
                                              const std::string& input) const {
  static_cast<void>(input);
  std::map<std::string, std::uint64_t> values;
  for (const auto& argument : arguments) {
    const std::size_t equals = argument.find('=');
    const std::string number = equals == std::string::npos ? "" : argument.substr(equals + 1);
    values[argument.substr(0, equals)] = WrappedNumber(number);
  }
  return {Execute(program_, values), 0};
}

optarena::Compiler StackCompiler() {
  optarena::Compiler compiler;
  compiler.service_version = "1.0";
  compiler.compiler_version = "stack 1.0";
  compiler.action_spaces = {Rewrites()};
  compiler.observation_spaces = ObservationSpaces();
  compiler.start = [](const std::filesystem::path&, const compiler_gym::ActionSpace&,
                      const compiler_gym::Benchmark& benchmark) {
    return std::make_unique<StackSession>(benchmark);
  };
  return compiler;
}

}  // namespace stack
