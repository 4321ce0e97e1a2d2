"""The code that runs in a zygote and in a session's process: no numpy, no gymnasium, no grpc."""
