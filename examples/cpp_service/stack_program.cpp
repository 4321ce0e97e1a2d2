#include "stack_program.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>

#include "printable.h"
#include "text.h"

namespace stack {
namespace {

// Whether this is a number of at most 20 digits, as the language requires.
bool IsNumber(const std::string& operand) {
  const std::size_t sign = operand.compare(0, 1, "-") == 0 ? 1 : 0;
  const std::size_t digits = operand.size() - sign;
  return digits >= 1 && digits <= 20 &&
         operand.find_first_not_of("0123456789", sign) == std::string::npos;
}

bool IsArgument(const std::string& operand) {
  return !operand.empty() &&
         operand.find_first_not_of("abcdefghijklmnopqrstuvwxyz") == std::string::npos;
}

// The number modulo 2^64; empty if it does not fit a signed number of 64 bits.
std::optional<std::uint64_t> NumberOf(const std::string& operand) {
  const bool negative = operand[0] == '-';
  const std::string digits = operand.substr(negative ? 1 : 0);
  const std::uint64_t largest = std::numeric_limits<std::int64_t>::max();
  const std::uint64_t limit = negative ? largest + 1 : largest;
  std::uint64_t value = 0;
  for (const char digit : digits) {
    const std::uint64_t next = static_cast<std::uint64_t>(digit - '0');
    if (value > (limit - next) / 10) return std::nullopt;
    value = value * 10 + next;
  }
  return negative ? 0 - value : value;
}

std::optional<Op> OpOf(const std::string& name) {
  const auto found =
      std::find_if(kOps.begin(), kOps.end(), [&](const OpInfo& op) { return op.name == name; });
  if (found == kOps.end()) return std::nullopt;
  return static_cast<Op>(found - kOps.begin());
}

[[noreturn]] void Refuse(std::size_t line, const std::string& why) {
  throw std::invalid_argument("line " + std::to_string(line) + ": " + why);
}

[[noreturn]] void RefuseUnknown(std::size_t line, const std::vector<std::string>& words) {
  std::string given;
  for (const auto& word : words) given += (given.empty() ? "" : " ") + word;
  std::string names;
  for (const auto& op : kOps) names += (names.empty() ? "" : ", ") + std::string(op.name);
  const std::string shown = optarena::Printable(text::FirstCharacters(given, 80));
  Refuse(line, "'" + shown + "' is not one of " + names);
}

Instruction Read(std::size_t line, const std::vector<std::string>& words) {
  const auto op = OpOf(words[0]);
  const bool takes_operand = op == Op::kPush || op == Op::kLoad;
  if (!op || words.size() != (takes_operand ? 2 : 1)) RefuseUnknown(line, words);
  Instruction instruction = {*op, 0, ""};
  if (op == Op::kLoad) {
    if (!IsArgument(words[1])) RefuseUnknown(line, words);
    instruction.argument = words[1];
  } else if (op == Op::kPush) {
    if (!IsNumber(words[1])) RefuseUnknown(line, words);
    const auto number = NumberOf(words[1]);
    if (!number) Refuse(line, words[1] + " does not fit 64 bits");
    instruction.number = *number;
  }
  return instruction;
}

std::string Signed(std::uint64_t number) {
  return std::to_string(static_cast<std::int64_t>(number));
}

std::uint64_t Popped(std::vector<std::uint64_t>* values) {
  const std::uint64_t value = values->back();
  values->pop_back();
  return value;
}

std::uint64_t ValueOf(const std::map<std::string, std::uint64_t>& arguments,
                      const std::string& name) {
  const auto found = arguments.find(name);
  if (found == arguments.end()) {
    throw std::invalid_argument("the program needs a value for '" + name + "', for example " + name +
                                "=1");
  }
  return found->second;
}

}  // namespace

Program Parse(const std::string& source) {
  Program program;
  std::size_t depth = 0;
  std::size_t number = 0;
  for (const std::string& line : text::Lines(text::WithPlainSpaces(source))) {
    ++number;
    const auto words = text::Words(line.substr(0, line.find('#')));
    if (words.empty()) continue;
    Instruction instruction = Read(number, words);
    const OpInfo& info = InfoOf(instruction.op);
    if (depth < info.taken) {
      Refuse(number, std::string(info.name) + " takes " + std::to_string(info.taken) +
                         " values, but the stack holds " + std::to_string(depth));
    }
    if (program.size() == kMaxInstructions) {
      Refuse(number,
             "a program has at most " + std::to_string(kMaxInstructions) + " instructions");
    }
    depth += info.given - info.taken;
    program.push_back(std::move(instruction));
  }
  return program;
}

std::string TextOf(const Program& program) {
  std::string text;
  for (const auto& instruction : program) {
    text += InfoOf(instruction.op).name;
    if (instruction.op == Op::kPush) text += " " + Signed(instruction.number);
    if (instruction.op == Op::kLoad) text += " " + instruction.argument;
    text += "\n";
  }
  return text;
}

std::uint64_t Combined(Op op, std::uint64_t first, std::uint64_t second) {
  if (op == Op::kAdd) return first + second;
  return op == Op::kSub ? first - second : first * second;
}

std::uint64_t WrappedNumber(const std::string& decimal) {
  const std::size_t sign = decimal.compare(0, 1, "-") == 0 ? 1 : 0;
  constexpr std::size_t kMostDigits = 20;
  if (decimal.size() == sign || decimal.size() > sign + kMostDigits ||
      decimal.find_first_not_of("0123456789", sign) != std::string::npos) {
    throw std::invalid_argument("'" + text::FirstCharacters(decimal, 80) +
                                "' is not a number of at most 20 digits");
  }
  std::uint64_t value = 0;
  for (std::size_t i = sign; i < decimal.size(); ++i) {
    value = value * 10 + static_cast<std::uint64_t>(decimal[i] - '0');
  }
  return sign == 1 ? 0 - value : value;
}

std::string Execute(const Program& program, const std::map<std::string, std::uint64_t>& arguments) {
  std::vector<std::uint64_t> values;
  std::string printed;
  for (const auto& instruction : program) {
    switch (instruction.op) {
      case Op::kPush:
        values.push_back(instruction.number);
        break;
      case Op::kLoad:
        values.push_back(ValueOf(arguments, instruction.argument));
        break;
      case Op::kNeg:
        values.back() = 0 - values.back();
        break;
      case Op::kDup:
        values.push_back(values.back());
        break;
      case Op::kSwap:
        std::swap(values[values.size() - 1], values[values.size() - 2]);
        break;
      case Op::kDrop:
        values.pop_back();
        break;
      case Op::kPrint:
        printed += Signed(Popped(&values)) + "\n";
        break;
      default: {
        const std::uint64_t second = Popped(&values);
        values.back() = Combined(instruction.op, values.back(), second);
      }
    }
  }
  return printed;
}

}  // namespace stack
