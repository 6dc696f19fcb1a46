# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The form `portable`: C99 made of the meaning of each instruction, with the structure the author wrote."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from gen.cores.abi import AAPCS32
from gen.diag import fail
from gen.emit.backend import PORTABLE
from gen.emit.cmeaning import Naming, c_type, statements, test
from gen.emit.cnames import Names, identifier, leaves, names, used
from gen.emit.contract import banner
from gen.emit.flags import needed
from gen.emit.kept import Kept, kept
from gen.emit.pointers import elements
from gen.emit.render import render
from gen.emit.view import (
    Piece,
    as_comment,
    number_rows,
    plain,
    with_comment,
)
from gen.emit.view import (
    c_type as element_type,
)
from gen.ir.interp.abi import words_of
from gen.ir.interp.entry import vars_of
from gen.ir.ir import (
    Break,
    Call,
    Comment,
    Do,
    Insn,
    Loop,
    Move,
    Node,
    Param,
    Routine,
    StackObject,
    Then,
    Var,
    When,
)
from gen.passes.liveness import arguments, results

INDENT = "    "
Statements = Callable[[Insn, Naming, frozenset[str]], list[str]]
FLAGS = ("N", "Z", "C", "V", "Q", "GE")


# --- statements ----------------------------------------------------------------------------------


class Body:
    """The statements of a routine or sub. `stem`: what its subs' names begin with."""

    def __init__(
        self, routine: Routine, sizes: dict[Var, int], stem: str, said: Statements
    ) -> None:
        self.routine, self.sizes, self.stem, self.said = routine, sizes, stem, said
        self.live = needed(routine.body)
        self.nodes = list(leaves(routine.body))
        homes = [node.var for node in self.nodes if isinstance(node, Move)]
        outs = routine.contract.outs if routine.contract is not None else ()
        self.preset = [
            var
            for var in dict.fromkeys(v for node in self.nodes for v in used(node))
            if var.init is not None
        ]
        tables = (*routine.tables, *(p.table for p in routine.params if p.table is not None))
        subs = (f"{stem}{sub.name}" for sub in routine.subs)
        free = Names([routine.symbol, *subs, *(table.symbol for table in tables)])
        self.fixed = self._parameters(free)
        self.names = names(
            routine.body,
            self.fixed,
            [*results(routine), *arguments(routine), *homes, *self.preset],
            free,
            {**dict.fromkeys(homes, ("_home",)), **dict.fromkeys(outs, ("_home", "_io"))},
        )
        self.naming = Naming(self.names.__getitem__, lambda var: self.sizes.get(var, 4))
        self.far: dict[str, str] = {}  # statement that leaves a `loop` -> the same out of a `do`

    def _parameters(self, free: Names) -> dict[Var, str]:
        """Scalars of 32 bits keep their names; pointers and others get a variable beside the parameter, stack
        objects one beside the array and the pointers kept in it."""
        for param in self.routine.params:
            if not free.take(param.name):
                text = f"`{param.name}` means something else in C or in the portable form"
                raise fail("bad-prototype", param.span, text, help=f"{param.name}_0")
        moved = [m for node in self.nodes if isinstance(node, Insn) and (m := kept(node))]
        found = {}
        for one in self.routine.objects:
            places = {f"_{m.offset}" for m in moved if m.object is one.var}
            found[one.var] = free.new(identifier(one.var.name), ("_at", *places)) + "_at"
        for param in self.routine.params:
            for part, var in enumerate(vars_of(param)):
                name = f"{param.name}_{_suffix(param, part)}"
                found[var] = param.name if _as_it_is(param) else free.new(name)
        return found

    def block(self, nodes: Sequence[Node], depth: int, leave: str = "") -> Iterator[str]:
        """Lines of nodes; `leave`: the statement that leaves the innermost `loop`."""
        for node in nodes:
            yield from self.node(node, depth, leave)

    def node(self, node: Node, depth: int, leave: str) -> Iterator[str]:
        pad = INDENT * depth
        match node:
            case Insn():
                yield from self.insn(node, pad)
            case Comment():
                yield f"{pad}/* {plain(node.text)} */"
            case Call():
                yield with_comment(f"{pad}{self.call(node)}", plain(node.comment), 60)
            case Move():
                name = self.names[node.var]
                home = f"{name}_home"
                yield f"{pad}{home} = {name};" if node.kind == "spill" else f"{pad}{name} = {home};"
            case Then():
                for insn in node.body:
                    yield from self.insn(insn, pad)
            case Break():
                yield f"{pad}if ({test(node.cond)}) {leave}"
            case Do() | Loop():
                yield from self.loop(node, depth, leave)
            case When():
                yield f"{pad}if ({test(node.cond)}) {{"
                yield from self.block(node.then, depth + 1, leave)
                if node.other:
                    yield f"{pad}}} else {{"
                    yield from self.block(node.other, depth + 1, leave)
                yield f"{pad}}}"

    def call(self, node: Call) -> str:
        """Inputs by value, then a pointer for each output."""
        outs = set(node.contract.outs)
        row = zip(node.ins, node.contract.ins, strict=True)
        words = [self.names[var] for var, formal in row if formal not in outs]
        words += [f"&{self.names[var]}" for var in node.outs]
        return f"{self.stem}{node.contract.name}({', '.join(words)});"

    def loop(self, node: Do | Loop, depth: int, leave: str) -> Iterator[str]:
        """C's `break` would leave a `do` in a `loop` only: what is in there goes to a label behind the `loop`."""
        pad = INDENT * depth
        if isinstance(node, Do):
            yield f"{pad}do {{"
            yield from self.block(node.body, depth + 1, self.far.get(leave, leave))
            yield f"{pad}}} while ({test(node.cond)});"
            return
        number = len(self.far) + 1
        near, far = f"break; /* {number} */", f"goto out{number};"
        self.far[near] = far
        lines = list(self.block(node.body, depth + 1, near))
        yield f"{pad}for (;;) {{"
        yield from (line.replace(near, "break;") for line in lines)
        yield f"{pad}}}"
        if any(far in line for line in lines):
            yield f"{pad}out{number}:;"

    def insn(self, insn: Insn, pad: str) -> Iterator[str]:
        moved = kept(insn)
        if moved is not None:
            lines = [moved.line(self.names[moved.pointer], self.place(moved))]
        else:
            lines = self.said(insn, self.naming, self.live.get(insn, frozenset()))
        for number, line in enumerate(lines):
            yield with_comment(pad + line, "" if number else plain(insn.comment), 60)

    def place(self, moved: Kept) -> str:
        """The variable for a pointer that a stack object keeps: "keep_4"."""
        return f"{self.names[moved.object].removesuffix('_at')}_{moved.offset}"

    # --- declarations

    def declarations(self) -> Iterator[str]:
        """Parameters as registers, initial values, and the other variables of each type."""
        for param in self.routine.params:
            yield from self._entry(param)
        for one in self.routine.objects:
            yield from self._object(one)
        contract = self.routine.contract
        for var in contract.outs if contract is not None else ():
            start = f" = *{self.names[var]}_io" if contract and var in contract.ins else ""
            yield f"    {c_type(var)} {self.names[var]}{start};"
        for var in self.preset:
            if var in self.fixed:
                continue
            yield with_comment(
                f"    {c_type(var)} {self.names[var]} = {_hex(var)};", plain(var.init_text), 60
            )
        done = {*self.fixed.values(), *(self.names[var] for var in self.preset)}
        if contract is not None:
            done |= {self.names[var] for var in (*contract.ins, *contract.outs)}
        for kind in ("uintptr_t", "uint64_t", "uint64x2_t", "uint32_t"):
            rest = [self.names[v] for v in self.names if c_type(v) == kind]
            homes = [
                f"{self.names[n.var]}_home"
                for n in self.nodes
                if isinstance(n, Move) and c_type(n.var) == kind
            ]
            places = [self.place(m) for n in self.nodes if isinstance(n, Insn) and (m := kept(n))]
            rest += places if kind == "uintptr_t" else []
            rest = [name for name in dict.fromkeys((*rest, *homes)) if name not in done]
            done.update(rest)
            yield from _listed(kind, rest)
        yield from _listed("uint32_t", list(self.flags()))

    def _entry(self, param: Param) -> Iterator[str]:
        if _as_it_is(param):
            return
        for part, var in enumerate(vars_of(param)):
            if param.ctype.pointer:
                value = f"(uintptr_t){param.name}"
            else:
                value = f"(uint32_t)({param.name} >> 32)" if part else f"(uint32_t){param.name}"
            yield f"    {c_type(var)} {self.fixed[var]} = {value};"

    def _object(self, one: StackObject) -> Iterator[str]:
        """Its elements, if they are its own, and their address."""
        name = self.fixed[one.var]
        if one.over is None:
            yield f"    {element_type(one)} {name.removesuffix('_at')}[{one.count}];"
            yield f"    uintptr_t {name} = (uintptr_t){name.removesuffix('_at')};"
        else:
            yield f"    uintptr_t {name} = {self.fixed[one.over.var]};"

    def head(self) -> str:
        """The first line of the function."""
        contract = self.routine.contract
        if contract is None:
            return self.routine.prototype.rstrip("; ")
        words = [f"{c_type(v)} {self.names[v]}" for v in contract.ins if v not in contract.outs]
        words += [f"{c_type(var)} *{self.names[var]}_io" for var in contract.outs]
        return f"static void {self.stem}{self.routine.name}({', '.join(words) or 'void'})"

    def stores(self) -> list[str]:
        """What a sub does at its end."""
        outs = self.routine.contract.outs if self.routine.contract is not None else ()
        return [f"    *{self.names[var]}_io = {self.names[var]};" for var in outs]

    def flags(self) -> Iterable[str]:
        """Flags that something reads, or that a meaning mentions."""
        wanted = set().union(*self.live.values()) if self.live else set()
        return [flag for flag in FLAGS if flag in wanted]

    def result(self) -> str:
        if self.routine.result is None:
            return ""
        ctype, var = self.routine.result
        if ctype.pointer:
            return f"return ({ctype.text} *){self.names[var]};"
        value = self.names[var]
        return (
            f"return {value};"
            if ctype.text == "uint32_t"
            else f"return ({ctype.text}){_view(ctype.signed, value)};"
        )


def _view(signed: bool, value: str) -> str:
    return f"s32({value})" if signed else value


def _as_it_is(param: Param) -> bool:
    return not param.ctype.pointer and param.ctype.text == "uint32_t"


def _suffix(param: Param, part: int) -> str:
    if param.ctype.pointer:
        return "at"
    return ("low", "high")[part] if words_of(param.ctype, AAPCS32) == 2 else "word"


def _hex(var: Var) -> str:
    word = (var.init or 0) % (1 << var.bits)
    return f"{word if word < 4096 else hex(word)}u{'ll' * (var.bits > 32)}"


def _listed(kind: str, variables: list[str]) -> Iterator[str]:
    """A declaration of many variables, a dozen a line."""
    for start in range(0, len(variables), 12):
        yield f"    {kind} {', '.join(variables[start : start + 12])};"


def functions(routine: Routine | None, said: Statements) -> list[dict[str, object]]:
    """Subs before what calls them; `said` gives the statements of an instruction."""
    if routine is None:
        return []
    sizes, stem = elements(routine), f"{routine.symbol}_"
    made = [Body(one, sizes, stem, said) for one in (*routine.subs, routine)]
    return [_function(body) for body in made]


def _function(body: Body) -> dict[str, object]:
    sub = body.routine.contract is not None
    above = as_comment(body.routine.comment.split("\n")) if sub and body.routine.comment else []
    lines = [*body.block(body.routine.body, 1), *body.stores()]
    declarations = list(body.declarations())
    return {
        "comment": ["/*", *above, " */"] if above else [],
        "prototype": body.head(),
        "declarations": declarations,
        "lines": lines,
        "result": body.result(),
        "unread": unread(body.names.values(), "\n".join([*lines, body.result()])),
    }


def unread(variables: Iterable[str], text: str) -> list[str]:
    """Variables whose value no expression of `text` reads: only flags came of it."""
    read = set(re.findall(r"\w+", re.sub(r"^ *\w+ = |/\*.*?\*/", "", text, flags=re.M)))
    return [name for name in dict.fromkeys(variables) if name not in read]


def table_rows(piece: Piece) -> list[dict[str, object]]:
    """Tables as C declares them."""
    return [
        {
            "declaration": f"const {element_type(table)} {table.symbol}[{len(table.values)}]",
            "comment": plain(table.comment),
            "rows": list(number_rows(table, c=True)),
        }
        for table in piece.tables
    ]


def emit(piece: Piece) -> dict[str, str]:
    """Path below generated/ -> text."""
    text = render(
        "portable.c.j2",
        banner=banner(piece, machine=False),
        guard=PORTABLE,
        stem=piece.stem,
        functions=functions(piece.routine, statements),
        tables=table_rows(piece),
    )
    return {f"portable/{piece.stem}.c": text}
