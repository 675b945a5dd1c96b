"""How gunicorn serves the application: two workers, each with threads for slow clients."""

import os

workers = 2
worker_class = "gthread"
threads = 8
timeout = 60
# A worker's heartbeat file must not wait for a disk.
worker_tmp_dir = "/dev/shm" if os.path.isdir("/dev/shm") else None  # noqa: S108
accesslog = None
errorlog = "-"
loglevel = "warning"
