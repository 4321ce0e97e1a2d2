// A bounded cache of benchmark messages, so that sessions can be started by URI.

#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <unordered_map>

#include "optarena/service/proto/compiler_gym_service.pb.h"

namespace optarena {

// When an insertion would exceed the limit, random items are evicted until at most half of it is used. An
// item larger than the limit evicts everything else, with a warning, and is kept. Not thread-safe.
class BenchmarkCache {
 public:
  static constexpr std::int64_t kDefaultMaxSizeInBytes = 54525952;

  explicit BenchmarkCache(std::int64_t max_size_in_bytes = kDefaultMaxSizeInBytes,
                          std::uint64_t seed = std::random_device()())
      : max_size_(max_size_in_bytes), random_(seed) {}

  std::int64_t size_in_bytes() const { return size_; }
  std::int64_t max_size_in_bytes() const { return max_size_; }

  // A lower limit evicts at once.
  void set_max_size_in_bytes(std::int64_t value);

  // The benchmark with this URI, null if it is not in the cache (or no longer).
  const compiler_gym::Benchmark* Find(const std::string& uri) const;

  // Adds a benchmark, or replaces the one with the same URI.
  void Insert(const compiler_gym::Benchmark& benchmark);

 private:
  void Erase(const std::string& uri);
  void EvictTo(std::int64_t target);

  std::unordered_map<std::string, compiler_gym::Benchmark> items_;
  std::int64_t size_ = 0;
  std::int64_t max_size_;
  std::mt19937_64 random_;
};

}  // namespace optarena
