"""The messages of a session and what they mean. No numpy, gymnasium or grpc: sessions import it."""
