// The nine rewrites of stack programs: the compiler's actions.

#pragma once

#include <array>
#include <cstddef>

#include "stack_program.h"

namespace stack {

// Rules read the program from one instruction on. The first that applies appends the new code to `out` and
// returns how many instructions it replaces; a rule that does not apply returns 0.
using Rule = std::size_t (*)(const Program& program, std::size_t at, Program* out);

struct Rewrite {
  const char* name;
  Rule rule;
};

// In the order of the action space.
extern const std::array<Rewrite, 9> kRewrites;

// One sweep from left to right; it continues after each replacement.
Program Swept(const Program& program, Rule rule);

}  // namespace stack
