"""How gunicorn serves the application: two workers, each with threads for slow clients."""

import os

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
