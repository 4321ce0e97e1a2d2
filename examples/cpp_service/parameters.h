// The session parameters that every service knows, whatever its compiler.

#pragma once

#include <optional>
#include <string>

#include "benchmark_cache.h"
#include "compilation_session.h"

namespace optarena {

// Queries the benchmark cache or sets its limit; empty if the parameter is not one of the cache's. Throws
// std::invalid_argument for a value that is not a number of bytes.
std::optional<std::string> HandleCacheParameter(BenchmarkCache* cache, const std::string& key,
                                                const std::string& value);

// The reply of the session, or else of its base class: `verify`, and `service.run_program`, whose value and
// reply are JSON with bytes in base 64.
std::optional<std::string> HandleSessionParameter(CompilationSession* session,
                                                  const std::string& key,
                                                  const std::string& value);

}  // namespace optarena
