#include "rewrites.h"

#include <algorithm>
#include <initializer_list>

namespace stack {
namespace {

constexpr std::uint64_t kMinusOne = 0 - static_cast<std::uint64_t>(1);

// The code from one instruction on; reading past the end is safe.
class Window {
 public:
  Window(const Program& program, std::size_t at) : program_(program), at_(at) {}

  const Instruction& operator[](std::size_t index) const { return program_[at_ + index]; }

  bool Matches(std::initializer_list<Op> ops) const {
    return ops.size() <= program_.size() - at_ &&
           std::equal(ops.begin(), ops.end(), program_.begin() + static_cast<std::ptrdiff_t>(at_),
                      [](Op op, const Instruction& given) { return op == given.op; });
  }

 private:
  const Program& program_;
  std::size_t at_;
};

std::size_t Replace(std::size_t count, std::initializer_list<Instruction> code, Program* out) {
  out->insert(out->end(), code);
  return count;
}

Instruction Push(std::uint64_t number) { return {Op::kPush, number, ""}; }
Instruction Plain(Op op) { return {op, 0, ""}; }

std::size_t FoldConstants(const Program& program, std::size_t at, Program* out) {
  const Window code(program, at);
  for (const Op op : {Op::kAdd, Op::kSub, Op::kMul}) {
    if (code.Matches({Op::kPush, Op::kPush, op})) {
      return Replace(3, {Push(Combined(op, code[0].number, code[1].number))}, out);
    }
  }
  if (code.Matches({Op::kPush, Op::kNeg})) return Replace(2, {Push(0 - code[0].number)}, out);
  return 0;
}

std::size_t RemoveIdentities(const Program& program, std::size_t at, Program* out) {
  const Window code(program, at);
  const bool sum = code.Matches({Op::kPush, Op::kAdd}) || code.Matches({Op::kPush, Op::kSub});
  const bool product = code.Matches({Op::kPush, Op::kMul});
  const bool identity = (sum && code[0].number == 0) || (product && code[0].number == 1);
  return identity ? Replace(2, {}, out) : 0;
}

std::size_t StrengthReduce(const Program& program, std::size_t at, Program* out) {
  const Window code(program, at);
  if (!code.Matches({Op::kPush, Op::kMul})) return 0;
  if (code[0].number == 2) return Replace(2, {Plain(Op::kDup), Plain(Op::kAdd)}, out);
  return code[0].number == kMinusOne ? Replace(2, {Plain(Op::kNeg)}, out) : 0;
}

std::size_t Annihilate(const Program& program, std::size_t at, Program* out) {
  const Window code(program, at);
  if (!code.Matches({Op::kPush, Op::kMul}) || code[0].number != 0) return 0;
  return Replace(2, {Plain(Op::kDrop), Push(0)}, out);
}

std::size_t Cancel(const Program& program, std::size_t at, Program* out) {
  const Window code(program, at);
  if (code.Matches({Op::kNeg, Op::kNeg}) || code.Matches({Op::kSwap, Op::kSwap})) {
    return Replace(2, {}, out);
  }
  if (code.Matches({Op::kNeg, Op::kAdd})) return Replace(2, {Plain(Op::kSub)}, out);
  if (code.Matches({Op::kNeg, Op::kSub})) return Replace(2, {Plain(Op::kAdd)}, out);
  return 0;
}

std::size_t RemoveDead(const Program& program, std::size_t at, Program* out) {
  const Window code(program, at);
  for (const Op op : {Op::kPush, Op::kLoad, Op::kDup}) {
    if (code.Matches({op, Op::kDrop})) return Replace(2, {}, out);
  }
  for (const Op op : {Op::kAdd, Op::kSub, Op::kMul}) {
    if (code.Matches({op, Op::kDrop})) {
      return Replace(2, {Plain(Op::kDrop), Plain(Op::kDrop)}, out);
    }
  }
  return code.Matches({Op::kNeg, Op::kDrop}) ? Replace(2, {Plain(Op::kDrop)}, out) : 0;
}

std::size_t Commute(const Program& program, std::size_t at, Program* out) {
  const Window code(program, at);
  for (const Op op : {Op::kAdd, Op::kMul}) {
    if (code.Matches({Op::kSwap, op})) return Replace(2, {Plain(op)}, out);
    if (code.Matches({Op::kPush, Op::kLoad, op})) {
      return Replace(3, {code[1], code[0], Plain(op)}, out);
    }
  }
  return 0;
}

std::size_t Reassociate(const Program& program, std::size_t at, Program* out) {
  const Window code(program, at);
  for (const Op op : {Op::kAdd, Op::kMul}) {
    if (code.Matches({Op::kPush, op, Op::kPush, op})) {
      return Replace(4, {code[0], code[2], Plain(op), Plain(op)}, out);
    }
  }
  return 0;
}

std::size_t ReuseLoads(const Program& program, std::size_t at, Program* out) {
  const Window code(program, at);
  const bool same_kind =
      code.Matches({Op::kLoad, Op::kLoad}) || code.Matches({Op::kPush, Op::kPush});
  if (!same_kind || !(code[0] == code[1])) return 0;
  return Replace(2, {code[0], Plain(Op::kDup)}, out);
}

}  // namespace

const std::array<Rewrite, 9> kRewrites = {{{"fold-constants", FoldConstants},
                                           {"remove-identities", RemoveIdentities},
                                           {"strength-reduce", StrengthReduce},
                                           {"annihilate", Annihilate},
                                           {"cancel", Cancel},
                                           {"remove-dead", RemoveDead},
                                           {"commute", Commute},
                                           {"reassociate", Reassociate},
                                           {"reuse-loads", ReuseLoads}}};

Program Swept(const Program& program, Rule rule) {
  Program out;
  out.reserve(program.size());
  for (std::size_t at = 0; at < program.size();) {
    const std::size_t replaced = rule(program, at, &out);
    if (replaced == 0) out.push_back(program[at]);
    at += std::max<std::size_t>(replaced, 1);
  }
  return out;
}

}  // namespace stack
