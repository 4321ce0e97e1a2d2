"""Tools for processes of the operating system, without messages, sessions, numpy or grpc."""
