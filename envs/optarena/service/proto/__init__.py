"""The messages, as ``.proto`` files and the modules generated from them (a test regenerates and compares).

Besides the files themselves, only ``compiler_gym_service_pb2_grpc`` is written by hand. The wire format is
stable: see docs/stability.md.
"""
