# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Command line: python3 -m gen {build,check,prove,explain,list,diff,fmt,lint,vendor,optimise,core}.

Exit codes: 0 all is well; 1 something in the sources, the tree or the command is wrong, with messages; 2 a fault of
the tool or of a tool it needs. `diff` has its own: 1 something changed, 2 it cannot tell.
"""

from __future__ import annotations

import argparse
import gc
import io
import sys
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn

from gen import commands
from gen.console import command, say
from gen.cores.core import all_cores
from gen.diag import Failed, render_all
from gen.orders.search import TRIALS

GARBAGE = 200_000  # objects between collections: a run is short, and makes few cycles
EXAMPLES = (
    ("build", "write generated/ anew"),
    ("build mlkem/ntt -o out", "one routine, all cores and forms, into out/"),
    ("check", "is generated/ what the sources give?"),
    ("diff main --markdown", "what generated/ changed since main, for a pull request"),
    ("explain mlkem/ntt --core cortex-m4", "its registers, bounds, cycles, stack"),
    ("explain I=smlaxy", "all that is known of an instruction"),
)


class Parser(argparse.ArgumentParser):
    """A wrong command is a user's mistake: exit code 1, where that says nothing else."""

    mistake = 1

    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        self.exit(self.mistake, f"{self.prog}: error: {message}\n")


def parser() -> Parser:
    top = Parser(
        prog=command("").strip(),
        description="One description of a routine in assembly with named registers, written out in every form.",
        epilog=_examples(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--root", type=Path, help="the folder that holds asm-src/ (found by itself)")
    verbs = top.add_subparsers(dest="verb", required=True, metavar="VERB", parser_class=Parser)
    _build(_verb(verbs, "build", commands.build, "write generated files"))
    _verb(verbs, "check", commands.check, "compare generated/ with what the sources give")
    _prove(
        _verb(verbs, "prove", commands.prove, "prove ranges, secrecy and timing of the routines")
    )
    explain = _verb(
        verbs, "explain", commands.explain, "everything known about a routine or an instruction"
    )
    explain.add_argument(
        "what",
        nargs="?",
        metavar="ROUTINE|I=NAME",
        help="mlkem/ntt, or I=smlaxy for an instruction",
    )
    explain.add_argument("--core", default="cortex-m4", help="default: %(default)s")
    listing = _verb(verbs, "list", commands.listing, "all routines with their figures")
    listing.add_argument(
        "--core", action="append", default=[], help="default: every core that has files"
    )
    _diff(_verb(verbs, "diff", commands.diff, "what changed in generated code, in meaning"))
    _fmt(_verb(verbs, "fmt", commands.fmt, "lay out sources"))
    lint = _verb(verbs, "lint", commands.lint, "all that is wrong with all sources; writes nothing")
    lint.add_argument("--proofs", action="store_true", help="run the proofs too (minutes)")
    _vendor(_verb(verbs, "vendor", commands.vendor, "what a project needs, laid out for it"))
    _optimise(_verb(verbs, "optimise", commands.optimise, "look for a better order"))
    new = _verb(verbs, "core", commands.core, "begin the file of a new core")
    new.add_argument("what", choices=["new"], help="new")
    new.add_argument("name", metavar="NAME", help="of the file: gen/cores/NAME.toml")
    new.add_argument("--like", default="cortex-m4", help="where to start; default: %(default)s")
    return top


def _examples() -> str:
    lines = [(command(words), what) for words, what in EXAMPLES]
    width = max(len(words) for words, _ in lines)
    return "\n".join(["examples:", *(f"  {words:<{width}}  {what}" for words, what in lines)])


def _verb(
    verbs: argparse._SubParsersAction[Parser], name: str, run: Callable[..., int], help: str
) -> Parser:
    made = verbs.add_parser(name, help=help, description=help[0].upper() + help[1:] + ".")
    made.set_defaults(run=run)
    if name not in ("prove", "core", "fmt", "optimise"):
        made.add_argument("--json", action="store_true", help="print JSON, for machines")
    if name not in ("prove", "core", "diff", "fmt", "vendor", "optimise"):
        made.add_argument(
            "-j", "--jobs", type=_count, default=0, help="processes (default: one a processor)"
        )
    return made


def _count(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text} is no number of processes")
    return int(text)


def _folder(text: str) -> Path:
    if not text:
        raise argparse.ArgumentTypeError("no folder is named")
    return Path(text)


def _build(build: Parser) -> None:
    build.add_argument(
        "routine", nargs="*", metavar="ROUTINE", help="mlkem/ntt or mlkem_ntt; none: all"
    )
    build.add_argument(
        "--core", action="append", default=[], help="none: every core that has all it needs"
    )
    build.add_argument(
        "--form", action="append", default=[], help="gas, inline, portable; none: all"
    )
    build.add_argument(
        "-o", dest="folder", type=_folder, help="write below this folder instead of generated/"
    )


def _diff(diff: Parser) -> None:
    diff.mistake = 2  # cannot tell
    what = "a folder or a revision of git"
    diff.add_argument("old", nargs="?", metavar="A", help=f"{what}; default: HEAD")
    diff.add_argument("new", nargs="?", metavar="B", help=f"{what}; default: the working tree")
    diff.add_argument("--markdown", action="store_true", help="print Markdown, for a pull request")
    diff.add_argument(
        "--expect",
        choices=["identical", "renamed", "reordered"],
        help="what the change promises to be at most; exit code 1 when it is more",
    )
    diff.add_argument(
        "--exit-zero", action="store_true", help="exit code 0 when something changed: only show it"
    )
    diff.add_argument("--no-lines", action="store_true", help="look up no lines of the sources")


def _fmt(fmt: Parser) -> None:
    fmt.add_argument(
        "file", nargs="*", metavar="FILE", help="files or folders; - is standard input; none: all"
    )
    fmt.add_argument("--check", action="store_true", help="write nothing; name what is not")
    fmt.add_argument("--diff", action="store_true", help="write nothing; show what would change")


def _vendor(vendor: Parser) -> None:
    vendor.add_argument("--kit", default="", help="how it is laid out; default: plain")
    vendor.add_argument("--algorithms", default="", help="mlkem768,x25519 ...")
    vendor.add_argument("--cores", default="", help="cortex-m4,cortex-m33 ...; default: cortex-m4")
    vendor.add_argument("--form", default="", help="gas, inline, portable; default: inline")
    vendor.add_argument("-o", dest="folder", type=_folder, metavar="DIR", help="where to")
    vendor.add_argument(
        "--update", action="store_true", help="renew what is in DIR; edited files stay as they are"
    )
    vendor.add_argument(
        "--verify", type=_folder, metavar="DIR", help="tell whether DIR is what this version makes"
    )


def _optimise(optimise: Parser) -> None:
    optimise.add_argument("routine", nargs="+", metavar="ROUTINE", help="mlkem/ntt or mlkem_ntt")
    optimise.add_argument("--core", action="append", required=True, help="for which the order is")
    optimise.add_argument(
        "--trials", type=_count, default=TRIALS, help="for each instruction; default: %(default)s"
    )


def _prove(prove: Parser) -> None:
    prove.add_argument("routine", nargs="*", help="mlkem/ntt or mlkem_ntt; none: all")
    prove.add_argument("--core", action="append", default=[], choices=all_cores(), help="none: all")
    prove.add_argument("--quiet", action="store_true", help="print failures and the summary only")


def main(argv: Sequence[str] | None = None) -> int:
    """Runs a command; returns the exit code."""
    if sys.stderr is None:  # closed by the caller: what is said there goes nowhere
        sys.stderr = io.StringIO()
    args = parser().parse_args(argv)
    gc.set_threshold(GARBAGE)
    try:
        code: int = args.run(args)
        sys.stdout.flush()
    except Failed as failed:
        say(render_all(failed.bag))
        return 1
    except BrokenPipeError:  # whoever read our output has enough of it
        sys.stdout = io.StringIO()  # nothing is left to flush at exit
        return 1
    except OSError as problem:
        where = f"{problem.filename}: " if problem.filename else ""
        say(f"error: {where}{problem.strerror or problem}")
        return 1
    except KeyboardInterrupt:
        say("interrupted; generated/ is as it was")
        return 1
    except Exception:
        say(traceback.format_exc().rstrip())
        say(
            "gen: this is a fault of the tool, not of your source; please report it with the lines above"
        )
        return 2
    return code


if __name__ == "__main__":
    sys.exit(main())
