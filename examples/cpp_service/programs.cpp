#include "programs.h"

#include <sys/stat.h>

#include <cctype>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>

#include "errors.h"

namespace optarena {
namespace {

using compiler_gym::Benchmark;
using compiler_gym::File;

constexpr char kFile[] = "file:///";

int HexDigit(char character) {
  if (!std::isxdigit(static_cast<unsigned char>(character))) return -1;
  return std::isdigit(static_cast<unsigned char>(character))
             ? character - '0'
             : std::tolower(static_cast<unsigned char>(character)) - 'a' + 10;
}

// Decodes percent-encoding; anything else stays as it is.
std::string Unquoted(const std::string& text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool complete = text[i] == '%' && i + 2 < text.size();
    const int high = complete ? HexDigit(text[i + 1]) : -1;
    const int low = complete ? HexDigit(text[i + 2]) : -1;
    if (high >= 0 && low >= 0) {
      plain.push_back(static_cast<char>(high * 16 + low));
      i += 2;
    } else {
      plain.push_back(text[i]);
    }
  }
  return plain;
}

void CheckSize(const std::string& name, std::int64_t size) {
  if (size <= kMaxBenchmarkBytes) return;
  throw Invalid("Too large: " + name + " has " + std::to_string(size) + " bytes, at most " +
                std::to_string(kMaxBenchmarkBytes) + " are allowed");
}

[[noreturn]] void ThrowUnreadable(const std::string& path, int error) {
  if (error == ENOENT) throw NotFound("File not found: " + path);
  throw RpcError(grpc::StatusCode::PERMISSION_DENIED,
                 "Cannot read " + path + ": " + std::strerror(error));
}

std::string ReadFile(const std::string& uri) {
  const std::size_t prefix = sizeof(kFile) - 1;
  if (uri.compare(0, prefix, kFile) != 0) {
    throw Invalid("Unsupported program URI '" + uri + "': only " + kFile + " is supported");
  }
  const std::string path = Unquoted(uri.substr(prefix - 1));
  struct stat info = {};
  if (path.find('\0') != std::string::npos) throw Invalid("Not a file: the path has a zero byte");
  if (stat(path.c_str(), &info) != 0) ThrowUnreadable(path, errno);
  if (!S_ISREG(info.st_mode)) throw Invalid("Not a file: " + path);
  CheckSize(path, info.st_size);
  std::ifstream file(path, std::ios::binary);
  if (!file) ThrowUnreadable(path, errno);
  std::ostringstream contents;
  contents << file.rdbuf();
  if (contents.str().empty()) throw Invalid("No program set: " + path + " is empty");
  return contents.str();
}

}  // namespace

Benchmark Resolved(const Benchmark& benchmark) {
  if (benchmark.uri().empty()) throw Invalid("No benchmark URI set");
  Benchmark resolved = benchmark;
  if (!benchmark.has_program()) return resolved;
  if (benchmark.program().data_case() == File::kUri) {
    resolved.mutable_program()->set_contents(ReadFile(benchmark.program().uri()));
  }
  if (resolved.program().contents().empty()) {
    throw Invalid("No program set: the program of " + benchmark.uri() +
                  " has neither contents nor a file");
  }
  CheckSize(benchmark.uri(), static_cast<std::int64_t>(resolved.program().contents().size()));
  return resolved;
}

}  // namespace optarena
