// A small runtime for compilers in C++: describe a Compiler and pass it to CreateAndRunService to get a service
// that any client of the interface can use. It knows sessions and messages, but no compiler.

#pragma once

#include <grpcpp/grpcpp.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "benchmark_cache.h"
#include "compilation_session.h"
#include "optarena/service/proto/compiler_gym_service.grpc.pb.h"

namespace optarena {

// The eight calls. Thread-safe: a lock for each session, sessions in parallel.
class CompilerGymService final : public compiler_gym::CompilerGymService::Service {
 public:
  CompilerGymService(std::filesystem::path working_directory, Compiler compiler);

  grpc::Status GetVersion(grpc::ServerContext* context,
                          const compiler_gym::GetVersionRequest* request,
                          compiler_gym::GetVersionReply* reply) override;
  grpc::Status GetSpaces(grpc::ServerContext* context,
                         const compiler_gym::GetSpacesRequest* request,
                         compiler_gym::GetSpacesReply* reply) override;
  grpc::Status StartSession(grpc::ServerContext* context,
                            const compiler_gym::StartSessionRequest* request,
                            compiler_gym::StartSessionReply* reply) override;
  grpc::Status ForkSession(grpc::ServerContext* context,
                           const compiler_gym::ForkSessionRequest* request,
                           compiler_gym::ForkSessionReply* reply) override;
  grpc::Status EndSession(grpc::ServerContext* context,
                          const compiler_gym::EndSessionRequest* request,
                          compiler_gym::EndSessionReply* reply) override;
  grpc::Status Step(grpc::ServerContext* context, const compiler_gym::StepRequest* request,
                    compiler_gym::StepReply* reply) override;
  grpc::Status AddBenchmark(grpc::ServerContext* context,
                            const compiler_gym::AddBenchmarkRequest* request,
                            compiler_gym::AddBenchmarkReply* reply) override;
  grpc::Status SendSessionParameter(grpc::ServerContext* context,
                                    const compiler_gym::SendSessionParameterRequest* request,
                                    compiler_gym::SendSessionParameterReply* reply) override;

 private:
  using Indices = google::protobuf::RepeatedField<std::int32_t>;
  using Observations = google::protobuf::RepeatedPtrField<compiler_gym::Event>;
  using Spaces = std::vector<const compiler_gym::ObservationSpace*>;

  struct Entry {
    std::mutex lock;
    bool ended = false;  // while another call was waiting for the lock
    std::unique_ptr<CompilationSession> session;
    compiler_gym::ActionSpace action_space;
  };
  // Access to a session that has not ended, held for the duration of a call.
  struct Held {
    std::shared_ptr<Entry> entry;
    std::unique_lock<std::mutex> lock;
  };

  compiler_gym::Benchmark Find(const compiler_gym::Benchmark& given);
  Spaces ObservationSpaces(const Indices& indices) const;
  Held Hold(std::int64_t session_id);
  std::int64_t Register(std::shared_ptr<Entry> entry);
  std::int32_t End(std::int64_t session_id, Entry* entry);
  void StepHeld(const grpc::ServerContext& context, Entry* entry,
                const compiler_gym::StepRequest& request, const Spaces& spaces,
                compiler_gym::StepReply* reply) const;
  std::optional<std::string> HandleParameter(CompilationSession* session,
                                             const compiler_gym::SessionParameter& parameter);

  static void Check(const Entry& entry, const Actions& actions);
  static void Apply(const grpc::ServerContext& context, Entry* entry, const Actions& actions,
                    compiler_gym::StepReply* reply);
  static void Observe(const Entry& entry, const Spaces& spaces, Observations* observations);

  const std::filesystem::path working_directory_;
  const Compiler compiler_;
  std::mutex lock_;  // of all below; never held while a session works
  BenchmarkCache cache_;
  std::map<std::int64_t, std::shared_ptr<Entry>> entries_;
  std::int64_t last_id_ = 0;
};

// Runs a compiler as a service until SIGTERM or SIGINT; this is all that a service's main() needs. The arguments
// are `--working_dir DIR`, where it writes pid.txt and then port.txt, and `--port N` (by default any free port).
// Listens on 127.0.0.1 only. Returns the exit code.
int CreateAndRunService(int argc, char** argv, const Compiler& compiler);

}  // namespace optarena
