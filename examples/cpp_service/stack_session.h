// The stack compiler behind the interface: its spaces, and a session of it.

#pragma once

#include "compilation_session.h"
#include "stack_program.h"

namespace stack {

// One program with the rewrites applied so far.
class StackSession final : public optarena::CompilationSession {
 public:
  // Throws std::invalid_argument for a program that is not well formed.
  explicit StackSession(const compiler_gym::Benchmark& benchmark);

  optarena::ActionResult ApplyAction(const compiler_gym::Event& action) override;
  compiler_gym::Event Observe(const compiler_gym::ObservationSpace& space) const override;
  std::unique_ptr<optarena::CompilationSession> Fork() const override;
  std::string Verify() const override;
  optarena::ProgramRun RunProgram(const std::vector<std::string>& arguments,
                                  const std::string& input) const override;

 private:
  Program program_;
};

optarena::Compiler StackCompiler();

}  // namespace stack
