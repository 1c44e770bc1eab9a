"""Rhomb from Python: the program's commands as functions, its answers as data.

>>> import rhomb
>>> rhomb.measure("mul", bits=64, target="atmega128", method="product-scanning")["bits"]
64
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from typing import NamedTuple

__all__ = ["Refused", "Routine", "draw", "generate", "measure", "records", "reproduce", "run", "targets", "verify"]


class Refused(Exception):
    """A request that cannot be met, or code that fails its evidence."""

    def __init__(self, fault, hint=""):
        super().__init__(f"{fault}\nhint: {hint}" if hint else fault)
        self.fault = fault
        self.hint = hint


class Routine(NamedTuple):
    """A routine: its report, the text of its files, and the certificate of its proof, if there is one."""

    report: dict
    assembly: str
    header: str
    certificate: object


def program():
    """Where the program is: RHOMB_PROGRAM, beside this Python, or on the path."""
    own = os.environ.get("RHOMB_PROGRAM")
    if own:
        return own
    beside = pathlib.Path(sysconfig.get_path("scripts")) / ("rhomb.exe" if sys.platform == "win32" else "rhomb")
    found = str(beside) if beside.exists() else shutil.which("rhomb")
    if not found:
        raise Refused("there is no program rhomb", "pip install rhomb has it, or set RHOMB_PROGRAM")
    return found


def options(given):
    """Keyword arguments as the program takes them."""
    words = []
    for name, value in given.items():
        option = "--" + name.rstrip("_").replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            words.append(option)
        elif isinstance(value, (list, tuple)) and name == "target":
            words += [word for one in value for word in (option, str(one))]
        elif isinstance(value, (list, tuple)):
            words += [option, ",".join(map(str, value))]
        else:
            words += [option, str(value)]
    return words


def run(*words, accepted=(0,)):
    """Runs the program and returns the text that it prints. Status 1 and 3 are verdicts where they are `accepted`."""
    return data(*words, accepted=accepted).decode("utf-8").replace("\r\n", "\n")


def data(*words, accepted=(0,)):
    """The same as bytes."""
    done = subprocess.run(
        [program(), *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "RHOMB_PROGRESS": "off"},
        check=False,
    )
    if done.returncode not in accepted:
        text = done.stderr.decode("utf-8", "replace")
        told = [line.split(": ", 1)[1] for line in text.splitlines() if line.startswith(("error: ", "hint: "))]
        raise Refused(*(told[:2] or [text.strip() or f"status {done.returncode}"]))
    return done.stdout


def measure(operation, **given):
    """Figures of a routine: a dictionary, or a list of them for several targets."""
    printed = run("measure", operation, *options(given), "--format", "json")
    reports = [json.loads(line) for line in printed.splitlines()]
    return reports if isinstance(given.get("target"), (list, tuple)) else reports[0]


def generate(operation, **given):
    """A routine, simulated and proved. `output`, a folder, keeps the files."""
    folder = given.pop("output", None)
    with tempfile.TemporaryDirectory() as own:
        to = pathlib.Path(folder or own)
        certificate = pathlib.Path(own) / "certificate.json"
        words = options(given)
        if not given.get("no_proof"):
            words += ["--certificate", certificate]
        report = json.loads(run("generate", operation, *words, "--output", to, "--format", "json", accepted=(0, 3)))
        texts = [pathlib.Path(name).read_text(encoding="utf-8") for name in report["files"] if not name.endswith(".json")]
        header = next(text for name, text in zip(report["files"], texts) if name.endswith(".h"))
        assembly = next(text for name, text in zip(report["files"], texts) if not name.endswith(".h"))
        proof = json.loads(certificate.read_text(encoding="utf-8")) if certificate.exists() else None
        return Routine(report, assembly, header, proof)


def verify(file, **given):
    """The verdict on a function of an object file."""
    return json.loads(run("verify", file, *options(given), "--format", "json", accepted=(0, 1, 3)))


def draw(operation, **given):
    """A picture: the text of an SVG or, by `format="tikz"`, of TikZ; by `format="png"` the bytes of a PNG."""
    printed = data("draw", operation, *options(given), "--output", "-")
    return printed if given.get("format") == "png" else printed.decode("utf-8")


def records(operation=None, **given):
    """The best public figures and ours: a list of dictionaries."""
    words = [operation] if operation else []
    return json.loads(run("records", *words, *options(given), "--format", "json"))


def reproduce(paper, **given):
    """The cells of a paper's tables: a list of dictionaries."""
    return json.loads(run("reproduce", paper, *options(given), "--format", "json"))


def targets():
    """The processors: a list of dictionaries."""
    return json.loads(run("list", "targets", "--format", "json"))
