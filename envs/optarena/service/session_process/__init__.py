"""The code that runs in a zygote and in a session's process.

``zygote_boot`` starts a zygote and ``zygote_main`` forks session processes from it, each of which runs
``session_main``. ``compiler_gym_service`` answers the eight calls for sessions in its own process. No numpy,
no gymnasium, no grpc.
"""
