"""Running a compiler as a service: the eight calls, the cache of benchmarks, and the servers that carry them.

``compiler_gym_service`` and ``benchmark_cache`` also run inside a session's process, so importing this
package loads neither grpc nor numpy; what needs them is imported when it is called.
"""
