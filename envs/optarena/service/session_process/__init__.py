"""What runs in a zygote and in the process of a session. No numpy, gymnasium or grpc."""
