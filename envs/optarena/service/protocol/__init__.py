"""The meaning of a session's messages; a session's process imports this: no numpy, no gymnasium, no grpc."""
