#include "events.h"

#include <cstdint>
#include <optional>
#include <stdexcept>

namespace optarena {
namespace {

using compiler_gym::Event;
using compiler_gym::Space;

std::optional<std::int64_t> IndexRange(const Space& space) {
  switch (space.value_case()) {
    case Space::kDiscrete:
      return space.discrete().n();
    case Space::kNamedDiscrete:
      return space.named_discrete().name_size();
    case Space::kAnyValue: {
      compiler_gym::CommandlineSpace commandline;
      if (!space.any_value().UnpackTo(&commandline)) return std::nullopt;
      return commandline.name_size();
    }
    default:
      return std::nullopt;
  }
}

std::string TypeOf(const Event& event) {
  const auto* value = Event::descriptor()->FindOneofByName("value");
  const auto* field = event.GetReflection()->GetOneofFieldDescriptor(event, value);
  return field == nullptr ? "no value" : field->name();
}

}  // namespace

void CheckEvent(const Event& event, const Space& space, const std::string& what) {
  const std::optional<std::int64_t> n = IndexRange(space);
  if (!n) return;
  if (event.value_case() != Event::kInt64Value) {
    throw std::invalid_argument(what + ": expected int64_value, got " + TypeOf(event));
  }
  if (event.int64_value() < 0 || event.int64_value() >= *n) {
    throw std::invalid_argument(what + ": " + std::to_string(event.int64_value()) +
                                " is out of range, expected 0 to " + std::to_string(*n - 1));
  }
}

}  // namespace optarena
