// The process around a service: its arguments, its port, its files and its end.

#include <fcntl.h>
#include <grpcpp/support/server_interceptor.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>

#include "compiler_gym_service.h"

namespace optarena {
namespace {

constexpr int kLargestPort = 65535;
constexpr int kMaxMessageBytes = 512 * 1024 * 1024;
constexpr int kMaxMetadataBytes = 512 * 1024;
constexpr std::chrono::seconds kEndSeconds(2);

struct Arguments {
  std::filesystem::path working_directory;
  int port = 0;
};

int PortNumber(const std::string& text) {
  const bool digits = text.find_first_not_of("0123456789") == std::string::npos;
  if (text.empty() || !digits || text.size() > 5 || std::stoi(text) > kLargestPort) {
    throw std::invalid_argument("--port: expected 0 to 65535, got '" + text + "'");
  }
  return std::stoi(text);
}

// Both `--name value` and `--name=value`.
Arguments Parsed(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    std::string name = argv[i];
    std::string value;
    const std::size_t equals = name.find('=');
    if (equals != std::string::npos) {
      value = name.substr(equals + 1);
      name.resize(equals);
    } else if (++i < argc) {
      value = argv[i];
    }
    if (name == "--working_dir") {
      arguments.working_directory = value;
    } else if (name == "--port") {
      arguments.port = PortNumber(value);
    } else {
      throw std::invalid_argument("unknown argument '" + name + "'");
    }
  }
  if (arguments.working_directory.empty()) throw std::invalid_argument("--working_dir is missing");
  return arguments;
}

// Writes the file atomically: a client polls for it.
void WriteFile(const std::filesystem::path& path, const std::string& text) {
  const std::filesystem::path draft = path.string() + ".new";
  std::ofstream file(draft);
  file << text << std::flush;
  if (!file) throw std::runtime_error("cannot write " + draft.string());
  std::filesystem::rename(draft, path);
}

// An unreadable message never reaches the service: gRPC answers it by itself, without an explanation.
class ExplainsUnreadableMessages final : public grpc::experimental::Interceptor {
 public:
  void Intercept(grpc::experimental::InterceptorBatchMethods* methods) override {
    using grpc::experimental::InterceptionHookPoints;
    if (methods->QueryInterceptionHookPoint(InterceptionHookPoints::PRE_SEND_STATUS)) {
      const grpc::Status status = methods->GetSendStatus();
      if (status.error_code() == grpc::StatusCode::INTERNAL && status.error_message().empty()) {
        methods->ModifySendStatus(grpc::Status(grpc::StatusCode::INVALID_ARGUMENT,
                                               "The message cannot be read as this call's request"));
      }
    }
    methods->Proceed();
  }
};

class ExplainerFactory final : public grpc::experimental::ServerInterceptorFactoryInterface {
 public:
  grpc::experimental::Interceptor* CreateServerInterceptor(
      grpc::experimental::ServerRpcInfo*) override {
    return new ExplainsUnreadableMessages();  // gRPC deletes it after the call
  }
};

std::unique_ptr<grpc::Server> Started(grpc::Service* service, int wanted_port, int* port) {
  grpc::ServerBuilder builder;
  builder.AddListeningPort("127.0.0.1:" + std::to_string(wanted_port),
                           grpc::InsecureServerCredentials(), port);
  // Otherwise a second service could share the port, and would get half of the calls.
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  builder.AddChannelArgument(GRPC_ARG_MAX_METADATA_SIZE, kMaxMetadataBytes);
  builder.SetMaxReceiveMessageSize(kMaxMessageBytes);
  builder.SetMaxSendMessageSize(kMaxMessageBytes);
  std::vector<std::unique_ptr<grpc::experimental::ServerInterceptorFactoryInterface>> interceptors;
  interceptors.push_back(std::make_unique<ExplainerFactory>());
  builder.experimental().SetInterceptorCreators(std::move(interceptors));
  builder.RegisterService(service);
  auto server = builder.BuildAndStart();
  if (!server || *port == 0) {
    throw std::runtime_error("cannot listen on 127.0.0.1:" + std::to_string(wanted_port));
  }
  return server;
}

int Run(const Arguments& arguments, const Compiler& compiler) {
  std::filesystem::create_directories(arguments.working_directory);
  // Block the signals before gRPC starts its threads, which inherit this: only sigwait takes them.
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGTERM);
  sigaddset(&ends, SIGINT);
  pthread_sigmask(SIG_BLOCK, &ends, nullptr);
  CompilerGymService service(arguments.working_directory, compiler);
  int port = 0;
  const auto server = Started(&service, arguments.port, &port);
  WriteFile(arguments.working_directory / "pid.txt", std::to_string(getpid()));
  WriteFile(arguments.working_directory / "port.txt", std::to_string(port));
  int signal = 0;
  sigwait(&ends, &signal);
  server->Shutdown(std::chrono::system_clock::now() + kEndSeconds);
  server->Wait();
  for (const char* name : {"port.txt", "pid.txt"}) {
    std::error_code ignored;  // the folder may have been removed
    std::filesystem::remove(arguments.working_directory / name, ignored);
  }
  return 0;
}

}  // namespace

int CreateAndRunService(int argc, char** argv, const Compiler& compiler) {
  try {
    return Run(Parsed(argc, argv), compiler);
  } catch (const std::invalid_argument& error) {
    std::cerr << argv[0] << ": " << error.what()
              << "\nusage: " << argv[0] << " --working_dir DIR [--port N]" << std::endl;
    return 2;
  } catch (const std::exception& error) {
    std::cerr << argv[0] << ": " << error.what() << std::endl;
    return 1;
  }
}

}  // namespace optarena
