"""The web server: waitress, with a deadline for everything that a client does.

One thread reads and writes all connections. A request takes one of the few threads of the application only
when its last byte has arrived, so that a client that sends slowly, or nothing, costs no thread. ``server``
adds what waitress leaves open: deadlines for head, body and answer, a share of connections and memory for
each network, a bound on the memory of bodies and answers, and problem documents as answers.
"""
