// Checks that an action is in a space. Error messages name the value and the range, or both types.

#pragma once

#include <string>

#include "optarena/service/proto/compiler_gym_service.pb.h"

namespace optarena {

// Checks an action against a discrete, named or command-line space; for other spaces it accepts everything.
// Throws std::invalid_argument.
void CheckEvent(const compiler_gym::Event& event, const compiler_gym::Space& space,
                const std::string& what);

}  // namespace optarena
