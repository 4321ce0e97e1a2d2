#include "benchmark_cache.h"

#include <algorithm>
#include <iostream>
#include <vector>

namespace optarena {
namespace {

std::int64_t SizeOf(const compiler_gym::Benchmark& benchmark) {
  return static_cast<std::int64_t>(benchmark.ByteSizeLong());
}

}  // namespace

void BenchmarkCache::set_max_size_in_bytes(std::int64_t value) {
  max_size_ = value;
  EvictTo(max_size_);
}

const compiler_gym::Benchmark* BenchmarkCache::Find(const std::string& uri) const {
  const auto found = items_.find(uri);
  return found == items_.end() ? nullptr : &found->second;
}

void BenchmarkCache::Insert(const compiler_gym::Benchmark& benchmark) {
  Erase(benchmark.uri());
  const std::int64_t size = SizeOf(benchmark);
  if (size > max_size_) {
    std::cerr << "warning: benchmark " << benchmark.uri() << ": " << size
              << " bytes, but the cache holds " << max_size_ << std::endl;
    EvictTo(0);
  } else if (size > max_size_ - size_) {
    EvictTo(max_size_ / 2);
    EvictTo(max_size_ - size);
  }
  items_[benchmark.uri()] = benchmark;
  size_ += size;
}

void BenchmarkCache::Erase(const std::string& uri) {
  const auto found = items_.find(uri);
  if (found == items_.end()) return;
  size_ -= SizeOf(found->second);
  items_.erase(found);
}

void BenchmarkCache::EvictTo(std::int64_t target) {
  if (size_ <= target) return;
  std::vector<std::string> uris;
  for (const auto& item : items_) uris.push_back(item.first);
  std::shuffle(uris.begin(), uris.end(), random_);
  while (size_ > target && !uris.empty()) {
    Erase(uris.back());
    uris.pop_back();
  }
}

}  // namespace optarena
