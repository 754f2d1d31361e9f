"""Settings that are made once and kept."""

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

from assessment.config.environment import kept_secret


def test_processes_that_start_at_once_keep_one_secret(tmp_path: Path) -> None:
    path, together = tmp_path / "var" / "secret-key", Barrier(8)

    def start(_number: int) -> str:
        together.wait(30)
        return kept_secret(path)

    with ThreadPoolExecutor(8) as pool:
        found = set(pool.map(start, range(8)))

    assert found == {path.read_text(encoding="utf-8")}
    assert min(map(len, found)) > 64
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [each.name for each in path.parent.iterdir()] == ["secret-key"]
