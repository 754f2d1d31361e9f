"""Lock files and Makefile: what a newcomer's first command rests on."""

import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from tests.operations.service import ROOT

_PIN = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^]]*\])?==([^ ;\\]+)", re.MULTILINE)


def _text(lock: str) -> str:
    return (ROOT / lock).read_text(encoding="utf-8")


def _pins(lock: str) -> dict[str, str]:
    return {name.lower().replace("_", "-"): version for name, version in _PIN.findall(_text(lock))}


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-dev.lock"])
def test_every_requirement_is_pinned_and_hashed_and_no_registry_is_named(lock: str) -> None:
    requirements = re.split(r"\n(?=[A-Za-z0-9])", _text(lock).strip())

    assert len(requirements) > 50
    for requirement in requirements:
        assert _PIN.match(requirement), requirement
        assert "--hash=sha256:" in requirement, requirement
    assert "://" not in _text(lock)


def test_the_lock_holds_what_the_project_names() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    runtime, development = _pins("requirements.lock"), _pins("requirements-dev.lock")

    def names(requirements: list[str]) -> set[str]:
        return {re.split(r"[\[<>=!~; ]", each)[0].lower() for each in requirements}

    assert names(project["project"]["dependencies"]) <= set(runtime)
    assert names(project["dependency-groups"]["dev"]) <= set(development)
    assert runtime.items() <= development.items()


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """Return a folder with what `make install` reads."""
    for name in ("Makefile", "requirements.lock"):
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def _make(clone: Path, *arguments: str, path: str) -> subprocess.CompletedProcess[str]:
    make = shutil.which("make")
    assert make is not None
    return subprocess.run(
        [make, *arguments],
        cwd=clone,
        env={"PATH": path, "HOME": str(clone)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_without_a_python_it_says_what_is_needed(clone: Path) -> None:
    programs = clone / "bin"
    programs.mkdir()
    for name in ("sh", "sed", "touch", "echo"):
        (programs / name).symlink_to(shutil.which(name) or f"/bin/{name}")
    refused = _make(clone, "install", path=str(programs))

    assert refused.returncode != 0
    assert "Python 3.11 or later with its venv module is needed" in refused.stderr


def test_an_old_python_is_not_taken(clone: Path) -> None:
    programs = clone / "bin"
    programs.mkdir()
    for name in ("sh", "sed", "touch", "echo"):
        (programs / name).symlink_to(shutil.which(name) or f"/bin/{name}")
    old = programs / "python3"
    # As Python 3.10 answers the question that the Makefile asks.
    old.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    old.chmod(0o755)
    refused = _make(clone, "install", path=str(programs))

    assert "Python 3.11 or later" in refused.stderr
    assert not (clone / ".venv").exists()


def test_an_installed_environment_is_left_alone(clone: Path) -> None:
    (clone / ".venv").mkdir()
    for stamp in (".made", ".runtime-installed"):
        (clone / ".venv" / stamp).touch()
    again = _make(clone, "install", path=os.environ["PATH"])

    assert again.returncode == 0
    assert "Installing" not in again.stdout


def test_help_names_every_command(clone: Path) -> None:
    shown = _make(clone, path=os.environ["PATH"]).stdout

    for command in ("install", "run", "test", "bench", "soak", "lint", "lock", "messages"):
        assert f"make {command}" in shown


def test_ci_runs_what_contributors_run() -> None:
    script = _text(".ci/run")

    assert os.access(ROOT / ".ci" / "run", os.X_OK)
    assert {"make lint", "make test"} <= {line.strip() for line in script.splitlines()}
