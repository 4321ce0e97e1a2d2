"""CUDA devices, for every compiler that measures on them. Nothing here touches a device at import."""
