"""The client's side of the service runtime: connections, and the processes that they start.

``interface`` defines the methods of every connection; ``target`` parses the names of services.
"""
