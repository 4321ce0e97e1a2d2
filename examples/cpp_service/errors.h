// How calls end other than well: the status codes of the interface, and which exceptions stand for them.
//
// A compiler throws std::invalid_argument for what its user must mend, and anything else for what it must
// mend itself; it never needs to know a status code.

#pragma once

#include <grpcpp/grpcpp.h>

#include <stdexcept>
#include <string>

#include "printable.h"

namespace optarena {

// A call that ends with a status other than OK.
class RpcError : public std::runtime_error {
 public:
  RpcError(grpc::StatusCode code, const std::string& message)
      : std::runtime_error(message.empty() ? "It failed without a word" : Shortened(Printable(message))),
        code_(code) {}

  grpc::StatusCode code() const { return code_; }

 private:
  grpc::StatusCode code_;
};

inline RpcError Invalid(const std::string& message) {
  return RpcError(grpc::StatusCode::INVALID_ARGUMENT, message);
}

inline RpcError NotFound(const std::string& message) {
  return RpcError(grpc::StatusCode::NOT_FOUND, message);
}

// After these the session is over, since nobody knows what was applied.
inline bool IsStateUnknown(grpc::StatusCode code) {
  return code == grpc::StatusCode::INTERNAL || code == grpc::StatusCode::RESOURCE_EXHAUSTED ||
         code == grpc::StatusCode::DEADLINE_EXCEEDED;
}

// Calls work() and turns what it throws into an RpcError. `applied` says what an error leaves done: then
// nothing but the session's end is an honest answer. Empty if an error leaves everything as it was.
template <typename Work>
auto Translated(const std::string& applied, Work work) -> decltype(work()) {
  const auto error = [&applied](grpc::StatusCode code, const std::string& message) {
    if (applied.empty() || IsStateUnknown(code)) return RpcError(code, message);
    return RpcError(grpc::StatusCode::INTERNAL,
                    message + " (the session has ended: " + applied + ")");
  };
  try {
    return work();
  } catch (const RpcError& failure) {
    throw error(failure.code(), failure.what());
  } catch (const std::invalid_argument& failure) {
    throw error(grpc::StatusCode::INVALID_ARGUMENT, failure.what());
  } catch (const std::bad_alloc&) {
    throw error(grpc::StatusCode::RESOURCE_EXHAUSTED, "The session is out of memory");
  } catch (const std::exception& failure) {
    throw error(grpc::StatusCode::INTERNAL, failure.what());
  }
}

// Calls work() and answers the status that its end is.
template <typename Work>
grpc::Status Answered(Work work) {
  try {
    Translated("", work);
  } catch (const RpcError& failure) {
    return grpc::Status(failure.code(), failure.what());
  }
  return grpc::Status::OK;
}

}  // namespace optarena
