// The nine rewrites of stack programs: the compiler's actions.

#pragma once

#include <array>
#include <cstddef>

#include "stack_program.h"

namespace stack {

// Rules look at the program from one instruction on. The first that applies appends what the code becomes
// to `out` and answers how many instructions it replaces; 0 if it does not apply.
using Rule = std::size_t (*)(const Program& program, std::size_t at, Program* out);

struct Rewrite {
  const char* name;
  Rule rule;
};

// In the order of the action space.
extern const std::array<Rewrite, 9> kRewrites;

// One sweep from left to right; after a replacement it goes on behind it.
Program Swept(const Program& program, Rule rule);

}  // namespace stack
