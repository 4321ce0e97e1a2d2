"""The client's side of the service runtime: connections, and the processes that they start.

``interface`` is what every connection has; ``target`` says what the name of a service means.
"""
