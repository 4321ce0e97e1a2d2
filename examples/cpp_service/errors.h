// The errors of calls: the status codes of the interface, and the exceptions for them.
//
// A compiler throws std::invalid_argument for errors of its user, and anything else for its own errors; it need
// not know the status codes.

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
      : std::runtime_error(message.empty() ? "The call failed without a message" : Shortened(Printable(message))),
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

// Errors after which the session is ended, since it is unknown which actions were applied.
inline bool IsStateUnknown(grpc::StatusCode code) {
  return code == grpc::StatusCode::INTERNAL || code == grpc::StatusCode::RESOURCE_EXHAUSTED ||
         code == grpc::StatusCode::DEADLINE_EXCEEDED;
}

// Calls work() and turns its exceptions into an RpcError. `applied` says what was done before and is not undone
// by an error, which then ends the session. It is empty if an error leaves everything unchanged.
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

// Calls work() and returns its status.
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
