// Checks the programs that a service receives, and reads those given as files.

#pragma once

#include <cstdint>

#include "optarena/service/proto/compiler_gym_service.pb.h"

namespace optarena {

constexpr std::int64_t kMaxBenchmarkBytes = 8000000;

// The benchmark with its program's contents in the message; unchanged if it has no program at all. Only
// file:/// is ever opened. Throws RpcError: INVALID_ARGUMENT for a missing URI, an empty or too large
// program, a path that is not a plain file, or a program URI other than file:///; NOT_FOUND for a missing
// file.
compiler_gym::Benchmark Resolved(const compiler_gym::Benchmark& benchmark);

}  // namespace optarena
