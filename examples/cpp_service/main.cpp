// The stack compiler as a service.

#include "compiler_gym_service.h"
#include "stack_session.h"

int main(int argc, char** argv) {
  return optarena::CreateAndRunService(argc, argv, stack::StackCompiler());
}
