"""How gunicorn serves the application: two workers, each with threads for slow clients."""

import os
import sys

# Requests share the cores already; more threads inside one matrix product would only be in each other's way.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

workers = int(os.environ.get("WEB_CONCURRENCY", "2"))
worker_class = "gthread"
threads = 8
timeout = 60
# A worker's heartbeat file must not wait for a disk.
worker_tmp_dir = "/dev/shm" if os.path.isdir("/dev/shm") else None  # noqa: S108
# Whose word is taken for the visitor's address and for HTTPS, TRUSTED_PROXIES says, and nothing else.
forwarded_allow_ips = ""
accesslog = None
errorlog = "-"
loglevel = "warning"


def post_fork(server: object, worker: object) -> None:  # noqa: ARG001
    """Who answers a hand waits less for a thread that works out a rule set."""
    sys.setswitchinterval(0.001)
