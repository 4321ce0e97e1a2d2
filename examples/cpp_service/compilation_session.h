// The interface of a compiler for a service: its description, and one object for each session.

#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "errors.h"
#include "optarena/service/proto/compiler_gym_service.pb.h"

namespace optarena {

using Actions = google::protobuf::RepeatedPtrField<compiler_gym::Event>;

struct ActionResult {
  bool end_of_session = false;
  bool had_no_effect = false;
  std::optional<compiler_gym::ActionSpace> new_action_space;
};

// The result of a program.
struct ProgramRun {
  std::string output;
  int exit_code = 0;
};

// One compilation in progress: a program, and the actions applied to it so far. Methods report errors by
// throwing: std::invalid_argument for a bad value (nothing may have changed then), RpcError for a status
// of the session's choice; anything else ends the session. One thread at a time calls it.
class CompilationSession {
 public:
  virtual ~CompilationSession() = default;

  // The action space that the session begins in, if it differs from the requested one.
  virtual std::optional<compiler_gym::ActionSpace> InitialActionSpace() const {
    return std::nullopt;
  }

  // Checks what the action space cannot express (and the values of any space but a discrete one, which the
  // runtime does not check); called with the actions of one step, before any of them is applied.
  virtual void CheckActions(const Actions& actions) const { static_cast<void>(actions); }

  // Applies one action, which was checked.
  virtual ActionResult ApplyAction(const compiler_gym::Event& action) = 0;

  // The value of one of the compiler's observation spaces in the present state.
  virtual compiler_gym::Event Observe(const compiler_gym::ObservationSpace& space) const = 0;

  // A session in exactly the same state.
  virtual std::unique_ptr<CompilationSession> Fork() const = 0;

  // Why the present state is not valid; empty if it is.
  virtual std::string Verify() const { return ""; }

  // Runs the program in its present state. Throws std::invalid_argument if it cannot be run like this.
  virtual ProgramRun RunProgram(const std::vector<std::string>& arguments,
                                const std::string& input) const {
    static_cast<void>(arguments);
    static_cast<void>(input);
    throw RpcError(grpc::StatusCode::UNIMPLEMENTED, "This compiler does not run programs");
  }

  // The reply to a parameter that is set or queried; empty if the parameter is unknown.
  virtual std::optional<std::string> HandleParameter(const std::string& key,
                                                     const std::string& value) {
    static_cast<void>(key);
    static_cast<void>(value);
    return std::nullopt;
  }
};

// A compiler: its version, its spaces, and how its sessions start. `start` gets the service's folder, the
// action space and the benchmark, whose program's contents are in the message.
struct Compiler {
  std::string service_version;
  std::string compiler_version;
  std::vector<compiler_gym::ActionSpace> action_spaces;
  std::vector<compiler_gym::ObservationSpace> observation_spaces;
  std::function<std::unique_ptr<CompilationSession>(const std::filesystem::path&,
                                                    const compiler_gym::ActionSpace&,
                                                    const compiler_gym::Benchmark&)>
      start;
};

}  // namespace optarena
