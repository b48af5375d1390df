"""A Ray cluster of this machine alone, for tests."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import tengen

PACKAGE = str(Path(tengen.__file__).parents[1])


@contextmanager
def local_cluster(cpus: int) -> Iterator[Any]:
    """Ray, with so many processors."""
    ray = pytest.importorskip("ray", reason="Ray is not installed: pip install ray")
    # Actors are other processes, which have to find the package that is tested here.
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [PACKAGE, before]))
    ray.init(
        address="local",
        num_cpus=cpus,
        include_dashboard=False,
        configure_logging=False,
        log_to_driver=False,
        object_store_memory=80 * 2**20,
    )
    yield ray
    ray.shutdown()
    if before is None:
        del os.environ["PYTHONPATH"]
    else:
        os.environ["PYTHONPATH"] = before


def kill(ray: Any, worker: Any) -> None:
    """Kills a worker and waits until it is gone: Ray itself does not wait, and a worker may answer once more."""
    ray.kill(worker, no_restart=True)
    with pytest.raises(ray.exceptions.RayActorError):
        while True:
            ray.get(worker.__ray_ready__.remote(), timeout=60)
