"""The client's side of the service runtime: connections, and the processes that they start."""
