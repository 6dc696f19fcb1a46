# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""What calls and stack objects ask of every pass, and each fault that can be planted in them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from gen import isa
from gen.diag import Diagnostic, Failed
from gen.ir.interp import execute
from gen.ir.ir import Call, Insn, Item, Mem, Reg, Routine, physical
from gen.ir.rename import everywhere
from gen.isa import build
from gen.passes import BUILD, PIPELINE
from gen.passes.check_result import check_result
from tests.gen.passes.trees import codes, errors, made

SUBS = """\
// z <- x + 1, which spoils r2 and r3.
sub next(in x : u32 @ r1, out z : u32 @ r0) clobbers r2..r3:
    reg   one : u32 = 1
    add     z, x, one

// z <- x + 2.
sub second(in x : u32 @ r1, out z : u32 @ r0) clobbers r1..r3, r12, lr:
    call next(x, z)
    mov     x, z
    call next(x, z)
"""
HEAD = """
fn void t_r(uint32_t p[4], const uint32_t q[4]):
    param p : secret inout
    param q : secret in
"""


def routine(body: str, root: Path, subs: str = SUBS, last: str = "check_result") -> Routine:
    indented = "".join(f"    {line}\n" for line in body.strip().splitlines())
    return made(root, subs + HEAD + indented, PIPELINE[1 : PIPELINE.index(last) + 1])


def said(body: str, root: Path, subs: str = SUBS, last: str = "timing") -> list[Diagnostic]:
    return errors(routine, body, root, subs, last).items


PLAIN = """
reg x, z, w, total : u32
reg out : ptr
mov     out, p
ldr     w, [q, #4]
ldr     x, [q]
call second(x, z)
add     total, w, z
str     total, [out]
"""


def test_what_lives_across_a_call_is_kept(tmp_path: Path) -> None:
    found = routine(PLAIN, tmp_path)
    places = {var.name: name for var, name in found.places.items()}
    assert (places["x"], places["z"]) == ("r1", "r0")
    assert {places["w"], places["out"]} & {"r0", "r1", "r2", "r3", "r12", "lr"} == set()
    assert execute(found, {"q": [5, 7, 0, 0]}, "final").buffers["p"][0] == 14


def test_a_sub_keeps_to_its_contract(tmp_path: Path) -> None:
    for sub in routine(PLAIN, tmp_path).subs:
        assert sub.contract is not None
        written = {v.name for i in sub.final if isinstance(i, Insn) for v in isa.writes(i)}
        assert written <= sub.contract.spoils | {"sp", "pc"}
    saved = [[save.register for save in sub.frame.saved] for sub in routine(PLAIN, tmp_path).subs]
    assert saved == [[], ["lr"]]


def test_nothing_is_moved(tmp_path: Path) -> None:
    found = routine(PLAIN, tmp_path)
    body = [item for item in found.final if isinstance(item, Insn) and item.part == "body"]
    assert len(body) == 6 and [isa.callee(insn) for insn in body].count("second") == 1


@pytest.mark.parametrize(
    ("body", "code", "text"),
    [
        ("reg z : u32\ncall nxt(q, z)", "undefined", "no sub `nxt`"),
        ("reg z : u32\ncall next(z)", "bad-arguments", "next takes 2 arguments, not 1"),
        ("reg z : u32\ncall next(z.b, z)", "bad-arguments", "this is a half-word"),
        ("reg z : u32\nstack s[1] : u32\ncall next(s, z)", "bad-arguments", "a place in the frame"),
        (
            "reg x : u32 @ r4\nreg z : u32\nreg out : ptr\nmov out, p\nldr x, [q]\ncall next(x, z)\nstr z, [out]",
            "no-colouring",
            "r1",
        ),
        ("reg x : u32\nstack s[1] : u32\nmov x, s", "bad-operands", "a stack object stands in"),
        ("reg x : u32\nstack s[1] : u32\nldr x, [s], #4", "bad-operands", "a stack object stands"),
        ("reg x : u32\nstack s[1] : u32\nsub x, s, #4", "bad-operands", "a stack object stands in"),
        (
            "reg x : u32\nstack s[4] : u32\nldr x, [s, #4]\nstr x, [p]",
            "uninitialised",
            "byte 4 of s",
        ),
        ("reg x : u32\nstack s[4] : u32\nmov x, #0\nstr x, [s, #16]", "out-of-bounds", "of s"),
    ],
)
def test_refused(body: str, code: str, text: str, tmp_path: Path) -> None:
    found = said(body, tmp_path)
    assert any(item.code == code and text in item.message for item in found), found


def test_pressure_across_a_call_is_named(tmp_path: Path) -> None:
    names = ", ".join(f"v{n}" for n in range(9))
    loads = "\n".join(f"ldr v{n}, [q, #{4 * (n % 4)}]" for n in range(9))
    uses = "\n".join(f"str v{n}, [out, #{4 * (n % 4)}]" for n in range(9))
    body = f"reg {names}, z : u32\nreg out : ptr\nmov out, p\n{loads}\ncall second(v0, z)\n{uses}"
    [error] = said(f"{body}\nstr z, [out]", tmp_path)
    assert error.code == "reg-pressure" and "registers live across the call" in error.message


def test_no_carry_outlives_a_call(tmp_path: Path) -> None:
    body = (
        PLAIN.replace("call second", "adds w, w, w -> c\ncall second")
        .replace("w, z\n", "w, z, c\n")
        .replace("add     total", "adc total")
    )
    assert [item.code for item in said(body, tmp_path)] == ["carry-lost"]


def test_an_input_that_is_kept_is_not_written(tmp_path: Path) -> None:
    subs = "sub bad(in x : u32 @ r1, out z : u32 @ r0):\n    add x, x, #1\n    mov z, x\n"
    body = "reg x, z : u32\nldr x, [q]\nmov q, p\ncall bad(x, z)\nstr z, [p]"
    [error] = said(body, tmp_path, subs)
    assert (error.code, error.help) == ("bad-call", "clobbers r1")


def test_registers_outside_the_contract_are_not_there(tmp_path: Path) -> None:
    subs = "sub bad(in x : u32 @ r1, out z : u32 @ r0):\n    reg a, b : u32\n"
    subs += "    mov a, #1\n    mov b, #2\n    add a, a, b\n    add z, x, a\n"
    body = "reg x, z : u32\nreg out : ptr\nmov out, p\nldr x, [q]\ncall bad(x, z)\nstr z, [out]"
    [error] = said(body, tmp_path, subs)
    assert error.message == "3 registers live, the contract of bad has 2"


def test_secrets_and_bounds_are_followed_into_a_sub(tmp_path: Path) -> None:
    subs = (
        "sub pick(in x : u32 @ r1, in t : ptr @ r2, out z : u32 @ r0):\n    ldr z, [t, x, lsl #2]\n"
    )
    body = "reg x, z : u32\nreg t, out : ptr\nmov out, p\nldr x, [q]\nmov t, q\n{}call pick(x, t, z)\nstr z, [out]"
    assert [i.code for i in said(body.format(""), tmp_path, subs, "ranges")] == ["out-of-bounds"]
    assert [i.code for i in said(body.format("and x, x, #3\n"), tmp_path, subs)] == [
        "secret-address"
    ]
    assert not said(body.format("mov x, #3\n").replace("ldr x, [q]\n", ""), tmp_path, subs)


def test_paths_of_a_call_meet_behind_it(tmp_path: Path) -> None:
    subs = "sub most(in x : u32 @ r1, out z : u32 @ r0):\n"
    subs += "    cmp x, #4\n    mov z, #2\n    when hi:\n"
    subs += "        mla z, z, x, x\n        mla z, z, x, x\n        and z, z, #1\n        add z, z, #1\n"
    head = (
        SUBS
        and "\nfn void t_r(uint32_t p[1], uint32_t n):\n    param p : secret out\n    param n : public in, n <= 9\n"
    )
    lines = (
        "    reg x, z : u32\n    reg out : ptr\n    mov out, p\n    mov x, n\n    call most(x, z)\n"
    )
    lines += "    assert 1 <= z <= 2\n    str z, [out]\n"
    found = made(tmp_path, subs + head + lines, PIPELINE[1:])
    assert found.cost is not None and found.cost.cycles[0] < found.cost.cycles[1]


def test_objects_share_a_place_only_when_told(tmp_path: Path) -> None:
    body = "reg x : u32\nstack a[3] : u8\nstack b[2] : u32\nstack c[1] : u32 over b\n"
    body += "mov x, #1\nstr x, [b]\nldr x, [c]\nstrb x, [a, #2]\nldrb x, [a, #2]\nstr x, [p]"
    found = routine(body, tmp_path)
    offsets = {var.name: at for var, at in found.frame.objects.items()}
    assert offsets["b"] == offsets["c"] != offsets["a"] and found.frame.slot_bytes == 12
    assert execute(found, {}, "final").buffers["p"][0] == 1


def test_far_objects(tmp_path: Path) -> None:
    body = "reg x, y : u32\nstack far[300] : u32\nstack a[2] : u32\nmov x, #1\nmov y, #2\n"
    wide = "strd x, y, [a]\nldrd x, y, [a]\nstr x, [p]\nstr y, [p, #4]"
    assert [item.code for item in said(body + wide, tmp_path)] == ["out-of-range"]
    single = "str x, [a]\nldr x, [a]\nstr x, [p]\nreg t : ptr"
    lines = body + single.replace("\nreg t : ptr", "")
    assert not said(lines.replace("reg x, y", "reg x").replace("mov y, #2\n", ""), tmp_path)
    body = "reg t : ptr\nreg x : u32\nstack far[257] : u32\nstack a[2] : u32\n"
    found = routine(
        body + "mov x, #7\nstr x, [a, #4]\nadd t, a, #4\nldr x, [t]\nstr x, [p]", tmp_path
    )
    assert execute(found, {}, "final").buffers["p"][0] == 7


# --- faults in the result ------------------------------------------------------------------------


def refuted(found: Routine) -> bool:
    return codes(errors(check_result, found)) == {"bad-check"}


def spoilt(found: Routine, change: object) -> Routine:
    """With each item of the body replaced by what `change` makes of it."""
    assert callable(change)
    final: list[Item] = []
    for item in found.final:
        final += change(item) if isinstance(item, Insn) and item.part == "body" else [item]
    return replace(found, final=tuple(final))


def test_planted_faults_are_found(tmp_path: Path) -> None:
    found = routine(PLAIN, tmp_path)
    assert not refuted(found)
    call = next(i for i in found.final if isinstance(i, Insn) and isa.callee(i))
    kept = physical(next(name for v, name in found.places.items() if v.name == "w"))

    def around(*made: Insn) -> object:
        return lambda item: [*made] if item is call else [item]

    assert refuted(spoilt(found, around()))  # not called
    assert refuted(spoilt(found, around(call, call)))  # called twice
    assert refuted(spoilt(found, around(build.call("next"))))  # another one
    assert refuted(spoilt(found, around(call, build.move(kept, physical("r0")))))
    assert refuted(spoilt(found, around(build.move(physical("r1"), physical("r0")), call)))

    def lost(item: Insn) -> list[Insn]:
        return [everywhere(item, lambda var: physical("r2") if var is kept else var)]

    assert refuted(spoilt(found, lost))  # in a register that the sub does not keep


def test_faults_in_a_sub_are_found(tmp_path: Path) -> None:
    found = routine(PLAIN, tmp_path)
    one, two = found.subs
    assert not refuted(one) and not refuted(two)
    inside = [build.move(physical("r4"), physical("r0"))]
    assert refuted(spoilt(one, lambda item: [item, *inside]))  # r4 is not its own
    assert refuted(spoilt(one, lambda item: [item, build.move(physical("lr"), physical("r0"))]))
    assert refuted(spoilt(one, lambda item: [build.move(physical("r1"), physical("r0")), item]))
    no_save = tuple(i for i in two.final if not (isinstance(i, Insn) and i.part == "entry"))
    assert refuted(replace(two, final=no_save, frame=replace(two.frame, saved=(), stack=0)))


def test_an_object_that_is_mistaken_is_found(tmp_path: Path) -> None:
    body = "reg x : u32\nstack a[1] : u32\nstack b[1] : u32\nmov x, #1\nstr x, [a]\nmov x, #2\n"
    found = routine(body + "str x, [b]\nldr x, [a]\nstr x, [p]", tmp_path)

    def other(item: Insn) -> list[Insn]:
        mem = item.roles.get("a")
        if not isinstance(mem, Mem) or item.form is None or not item.form.loads:
            return [item]
        assert isinstance(item.ops[0], Reg)
        return [build.load_word(item.ops[0].var, mem.base, mem.offset.value + 4)]

    assert refuted(spoilt(found, other))


def test_a_sub_that_does_not_come_back_is_found(tmp_path: Path) -> None:
    found = routine(PLAIN, tmp_path)
    one, two = found.subs
    cut = tuple(i for i in two.final if not (isinstance(i, Insn) and i.part == "exit"))
    broken = replace(found, subs=(one, replace(two, final=cut)))
    with pytest.raises(Failed) as caught:
        execute(broken, {"q": [5, 7, 0, 0]}, "final")
    assert codes(caught.value.bag) == {"bad-check"}


def test_calls_are_items_of_code(tmp_path: Path) -> None:
    found = routine(PLAIN, tmp_path, last="liveness")
    [call] = [item for item in found.code if isinstance(item, Call)]
    assert [var.name for var in (*call.ins, *call.outs)] == ["x", "z"]
    assert BUILD[0] == "select"
