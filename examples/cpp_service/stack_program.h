// The stack language: programs, their text, their execution, and the rules for well-formed programs.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace stack {

constexpr std::size_t kMaxInstructions = 10000;

enum class Op { kPush, kLoad, kAdd, kSub, kMul, kNeg, kDup, kSwap, kDrop, kPrint };

struct OpInfo {
  const char* name;
  std::size_t taken;  // values from the stack
  std::size_t given;  // values put there
};

// In the order of the enumeration.
constexpr std::array<OpInfo, 10> kOps = {{{"push", 0, 1},
                                          {"load", 0, 1},
                                          {"add", 2, 1},
                                          {"sub", 2, 1},
                                          {"mul", 2, 1},
                                          {"neg", 1, 1},
                                          {"dup", 1, 2},
                                          {"swap", 2, 2},
                                          {"drop", 1, 0},
                                          {"print", 1, 0}}};

constexpr const OpInfo& InfoOf(Op op) { return kOps[static_cast<std::size_t>(op)]; }

// Numbers are unsigned, so that arithmetic wraps around; they are signed where they are read and written.
struct Instruction {
  Op op;
  std::uint64_t number = 0;  // of push
  std::string argument;      // of load

  bool operator==(const Instruction& other) const {
    return op == other.op && number == other.number && argument == other.argument;
  }
};

using Program = std::vector<Instruction>;

// Reads a program's text. Throws std::invalid_argument, which names the line, if it is not well formed.
Program Parse(const std::string& source);

// The canonical text, one instruction per line.
std::string TextOf(const Program& program);

// The result of add, sub or mul.
std::uint64_t Combined(Op op, std::uint64_t first, std::uint64_t second);

// A decimal number of any length, modulo 2^64. Throws std::invalid_argument for anything else.
std::uint64_t WrappedNumber(const std::string& decimal);

// The output of a program. Throws std::invalid_argument for a missing argument.
std::string Execute(const Program& program, const std::map<std::string, std::uint64_t>& arguments);

}  // namespace stack
