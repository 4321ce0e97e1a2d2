#include "compiler_gym_service.h"

#include <chrono>
#include <utility>

#include "events.h"
#include "parameters.h"
#include "programs.h"

namespace optarena {
namespace {

using compiler_gym::Benchmark;
using compiler_gym::Event;
using grpc::ServerContext;
using grpc::Status;

template <typename Item>
const Item& At(const std::vector<Item>& items, std::int32_t index, const std::string& what) {
  if (index < 0 || static_cast<std::size_t>(index) >= items.size()) {
    throw Invalid("No such " + what + ": " + std::to_string(index) +
                  " is out of range, expected 0 to " + std::to_string(items.size() - 1));
  }
  return items[static_cast<std::size_t>(index)];
}

void CheckPatience(const ServerContext& context) {
  if (context.IsCancelled() || context.deadline() <= std::chrono::system_clock::now()) {
    throw RpcError(grpc::StatusCode::DEADLINE_EXCEEDED, "The time for this call is over");
  }
}

std::string AppliedBefore(int index) {
  return index == 0 ? "" : std::to_string(index) + " actions were applied";
}

}  // namespace

CompilerGymService::CompilerGymService(std::filesystem::path working_directory, Compiler compiler)
    : working_directory_(std::move(working_directory)), compiler_(std::move(compiler)) {}

Status CompilerGymService::GetVersion(ServerContext*, const compiler_gym::GetVersionRequest*,
                                      compiler_gym::GetVersionReply* reply) {
  reply->set_service_version(compiler_.service_version);
  reply->set_compiler_version(compiler_.compiler_version);
  return Status::OK;
}

Status CompilerGymService::GetSpaces(ServerContext*, const compiler_gym::GetSpacesRequest*,
                                     compiler_gym::GetSpacesReply* reply) {
  for (const auto& space : compiler_.action_spaces) *reply->add_action_space_list() = space;
  for (const auto& space : compiler_.observation_spaces) {
    *reply->add_observation_space_list() = space;
  }
  return Status::OK;
}

Status CompilerGymService::StartSession(ServerContext*,
                                        const compiler_gym::StartSessionRequest* request,
                                        compiler_gym::StartSessionReply* reply) {
  return Answered([&] {
    const Benchmark benchmark = Find(request->benchmark());
    const auto& action_space = At(compiler_.action_spaces, request->action_space(), "action space");
    const Spaces spaces = ObservationSpaces(request->observation_space());
    auto entry = std::make_shared<Entry>();
    entry->action_space = action_space;
    try {
      entry->session = compiler_.start(working_directory_, action_space, benchmark);
    } catch (const std::invalid_argument& error) {
      throw Invalid(benchmark.uri() + ": " + error.what());
    }
    if (const auto other = entry->session->InitialActionSpace()) {
      entry->action_space = *other;
      *reply->mutable_new_action_space() = *other;
    }
    Observe(*entry, spaces, reply->mutable_observation());
    reply->set_session_id(Register(std::move(entry)));
  });
}

Status CompilerGymService::ForkSession(ServerContext*,
                                       const compiler_gym::ForkSessionRequest* request,
                                       compiler_gym::ForkSessionReply* reply) {
  return Answered([&] {
    const Held held = Hold(request->session_id());
    auto copy = std::make_shared<Entry>();
    copy->action_space = held.entry->action_space;
    copy->session = held.entry->session->Fork();
    reply->set_session_id(Register(std::move(copy)));
  });
}

Status CompilerGymService::EndSession(ServerContext*,
                                      const compiler_gym::EndSessionRequest* request,
                                      compiler_gym::EndSessionReply* reply) {
  return Answered([&] {
    const Held held = Hold(request->session_id());
    reply->set_remaining_sessions(End(request->session_id(), held.entry.get()));
  });
}

Status CompilerGymService::Step(ServerContext* context, const compiler_gym::StepRequest* request,
                                compiler_gym::StepReply* reply) {
  return Answered([&] {
    const Held held = Hold(request->session_id());
    const Spaces spaces = ObservationSpaces(request->observation_space());
    Check(*held.entry, request->action());
    try {
      StepHeld(*context, held.entry.get(), *request, spaces, reply);
    } catch (const RpcError& error) {
      if (IsStateUnknown(error.code())) End(request->session_id(), held.entry.get());
      throw;
    }
  });
}

Status CompilerGymService::AddBenchmark(ServerContext*,
                                        const compiler_gym::AddBenchmarkRequest* request,
                                        compiler_gym::AddBenchmarkReply*) {
  return Answered([&] {
    std::vector<Benchmark> resolved;
    for (const auto& benchmark : request->benchmark()) resolved.push_back(Resolved(benchmark));
    const std::lock_guard<std::mutex> lock(lock_);
    for (const auto& benchmark : resolved) cache_.Insert(benchmark);
  });
}

Status CompilerGymService::SendSessionParameter(
    ServerContext*, const compiler_gym::SendSessionParameterRequest* request,
    compiler_gym::SendSessionParameterReply* reply) {
  return Answered([&] {
    const Held held = Hold(request->session_id());
    for (const auto& parameter : request->parameter()) {
      const auto answer = HandleParameter(held.entry->session.get(), parameter);
      if (!answer) throw Invalid("Unknown parameter: " + parameter.key());
      reply->add_reply(*answer);
    }
  });
}

Benchmark CompilerGymService::Find(const Benchmark& given) {
  const Benchmark resolved = Resolved(given);
  const std::lock_guard<std::mutex> lock(lock_);
  if (resolved.has_program()) cache_.Insert(resolved);
  const Benchmark* found = cache_.Find(resolved.uri());
  if (found == nullptr) throw NotFound("Benchmark not found: " + resolved.uri());
  return *found;
}

CompilerGymService::Spaces CompilerGymService::ObservationSpaces(const Indices& indices) const {
  Spaces spaces;
  for (const std::int32_t index : indices) {
    spaces.push_back(&At(compiler_.observation_spaces, index, "observation space"));
  }
  return spaces;
}

CompilerGymService::Held CompilerGymService::Hold(std::int64_t session_id) {
  Held held;
  {
    const std::lock_guard<std::mutex> lock(lock_);
    const auto found = entries_.find(session_id);
    if (found != entries_.end()) held.entry = found->second;
  }
  if (held.entry) held.lock = std::unique_lock<std::mutex>(held.entry->lock);
  if (!held.entry || held.entry->ended) {
    throw NotFound("Session not found: " + std::to_string(session_id));
  }
  return held;
}

std::int64_t CompilerGymService::Register(std::shared_ptr<Entry> entry) {
  const std::lock_guard<std::mutex> lock(lock_);
  entries_[++last_id_] = std::move(entry);
  return last_id_;
}

std::int32_t CompilerGymService::End(std::int64_t session_id, Entry* entry) {
  entry->ended = true;
  const std::lock_guard<std::mutex> lock(lock_);
  entries_.erase(session_id);
  return static_cast<std::int32_t>(entries_.size());
}

void CompilerGymService::StepHeld(const ServerContext& context, Entry* entry,
                                  const compiler_gym::StepRequest& request, const Spaces& spaces,
                                  compiler_gym::StepReply* reply) const {
  Apply(context, entry, request.action(), reply);
  Translated(request.action().empty() ? "" : "its actions were applied",
             [&] { Observe(*entry, spaces, reply->mutable_observation()); });
}

std::optional<std::string> CompilerGymService::HandleParameter(
    CompilationSession* session, const compiler_gym::SessionParameter& parameter) {
  {
    const std::lock_guard<std::mutex> lock(lock_);
    auto reply = HandleCacheParameter(&cache_, parameter.key(), parameter.value());
    if (reply) return reply;
  }
  return HandleSessionParameter(session, parameter.key(), parameter.value());
}

void CompilerGymService::Check(const Entry& entry, const Actions& actions) {
  for (int index = 0; index < actions.size(); ++index) {
    const std::string what =
        actions.size() == 1 ? "action" : "action[" + std::to_string(index) + "]";
    CheckEvent(actions[index], entry.action_space.space(), what);
  }
  entry.session->CheckActions(actions);
}

void CompilerGymService::Apply(const ServerContext& context, Entry* entry, const Actions& actions,
                               compiler_gym::StepReply* reply) {
  reply->set_action_had_no_effect(true);
  for (int index = 0; index < actions.size(); ++index) {
    const ActionResult result = Translated(AppliedBefore(index), [&] {
      if (index > 0) CheckPatience(context);
      return entry->session->ApplyAction(actions[index]);
    });
    if (!result.had_no_effect) reply->set_action_had_no_effect(false);
    if (result.new_action_space) {
      entry->action_space = *result.new_action_space;
      *reply->mutable_new_action_space() = *result.new_action_space;
    }
    if (result.end_of_session) {
      reply->set_end_of_session(true);
      break;
    }
  }
}

void CompilerGymService::Observe(const Entry& entry, const Spaces& spaces,
                                 Observations* observations) {
  for (const auto* space : spaces) *observations->Add() = entry.session->Observe(*space);
}

}  // namespace optarena
