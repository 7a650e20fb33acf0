# SPDX-License-Identifier: Apache-2.0
"""Issue slots, multiply-adds and loads of a program, read from what a compiler of Mesa disassembles.

A slot is the time in which a processor begins one instruction of a work-item; repeats and waits that the instruction names are
slots, too. On Mali-G76 it is one tuple of two instructions, on VideoCore one line of an addition and a multiplication.
"""
import dataclasses
import math
import re


@dataclasses.dataclass(frozen=True)
class Step:
    """An instruction. Macs: multiply-adds of single numbers. Loads: of four numbers of 32 bits from memory."""
    slots: int = 1
    macs: int = 0
    loads: float = 0


@dataclasses.dataclass
class Program:
    """Steps in their order, and its loops: places of the first and the last step."""
    steps: list
    loops: list

    def depth(self, place):
        return sum(first <= place <= last for first, last in self.loops)

    def product_loop(self):
        """The loop with the most multiply-adds of those without a loop inside; None where none has any."""
        inner = [loop for loop in self.loops if not any(other != loop and loop[0] <= other[0] and other[1] <= loop[1] for other in self.loops)]
        best = max(inner, key=lambda loop: sum(step.macs for step in self.steps[loop[0]:loop[1] + 1]), default=None)
        return best if best and any(step.macs for step in self.steps[best[0]:best[1] + 1]) else None

    def executed(self, rounds):
        """All steps together where the loops run so often, from the outer one to the inner one. Both sides of a branch count."""
        total = [0, 0, 0]
        for place, step in enumerate(self.steps):
            times = math.prod(rounds[:self.depth(place)])
            for i, number in enumerate((step.slots, step.macs, step.loads)):
                total[i] += times * number
        return Step(*total)


def together(steps):
    return Step(sum(s.slots for s in steps), sum(s.macs for s in steps), sum(s.loads for s in steps))


def read_adreno(text):
    """Of IR3_SHADER_DEBUG=cs,disasm."""
    text = text.rpartition('Native code for')[2]
    steps, loops, labels = [], [], {}
    for line in re.findall(r'^MESA: info: (.*)$', text, re.MULTILINE):
        label = re.fullmatch(r'(l\d+):', line)
        if label:
            labels[label.group(1)] = len(steps)
            continue
        found = re.match(r'(?:\(\w+\) ?)*([a-z][\w.]*)', line)
        if line.startswith(';') or not found:
            if line.startswith('---'):
                break
            continue
        repeats = 1 + sum(int(n) for n in re.findall(r'\(rpt(\d)\)', line))
        waits = sum(int(n) for n in re.findall(r'\(nop(\d)\)', line))
        name = found.group(1)
        mask, count = re.search(r'\(([xyzw]+)\)', line), re.search(r'^(?:\(\w+\) ?)*ldg\.\w(\d+) .*, (\d)$', line)
        width = int(count.group(1)) * int(count.group(2)) / 128 if count else len(mask[1] if mask else 'xyzw') / 4
        # The first product of a sum of halves is no addition.
        is_mac = name.startswith('mad.f') or re.search(r'\bmul\.f (?:\(\w+\))?hr', line) is not None
        steps.append(Step(repeats + waits, repeats * is_mac, width * name.startswith(('isam', 'ldib', 'ldg'))))
        target = re.search(r'#(l\d+)', line)
        if target and target.group(1) in labels:
            loops.append((labels[target.group(1)], len(steps) - 1))
    return Program(steps, loops)


def mali_macs(line):
    found = re.search(r'\bFMA\.(v2)?f(.*)', line)
    if not found:
        return 0
    # Where each source is one half twice, as in sums that a loop carries, both results are the same.
    twice = [re.search(r'\.h(\d)\1', source) for source in found.group(2).split(',')[1:] if not source.strip().startswith('0x')]
    return 2 if found.group(1) and not (twice and all(twice)) else 1


def mali_loads(line):
    found = re.search(r'\b(?:LOAD|LD_BUFFER|LD_TEX|LD_TILE|LEA_TEX)\w*\.i(\d+)', line)
    return int(found.group(1)) / 128 if found else 0


def read_valhall(text):
    """Of BIFROST_MESA_DEBUG=shaders for a Mali-G610: the last listing, with branches by counts of instructions."""
    steps, loops = [], []
    for line in text[text.rfind('\n}'):].splitlines():
        if not re.match(r'   [A-Z]', line):
            continue
        steps.append(Step(1, mali_macs(line), mali_loads(line)))
        back = re.search(r'offset:-(\d+)', line)
        if back:
            loops.append((max(len(steps) - int(back.group(1)), 0), len(steps) - 1))
    return Program(steps, loops)


def read_bifrost(text):
    """Of BIFROST_MESA_DEBUG=shaders for a Mali-G76: clauses of tuples; branches name clauses."""
    steps, loops, labels = [], [], {}
    for line in text[text.rfind('\nclause_0:'):].splitlines():
        label = re.fullmatch(r'(clause_\d+):', line)
        if label:
            labels[label.group(1)] = len(steps)
            continue
        side = line.strip()
        if side.startswith('*'):
            steps.append(Step(1, mali_macs(side), mali_loads(side)))
        elif side.startswith('+') and steps:
            last = steps[-1]
            steps[-1] = Step(1, last.macs + mali_macs(side), last.loads + mali_loads(side))
            target = re.search(r'\b(clause_\d+)', side)
            if target and target.group(1) in labels:
                loops.append((labels[target.group(1)], len(steps) - 1))
    return Program(steps, loops)


def read_videocore(text):
    """Of V3D_DEBUG=cs: lines of 8 bytes; a branch counts from its fourth successor, and the three behind it run as well."""
    text = text.rpartition(' QPU:')[2]
    lines = re.findall(r'^0x[0-9a-f]{16} (.*)$', text, re.MULTILINE)
    steps = [Step(1, 2 * line.count('; vfmul') + line.count('; fmul'), line.count('ldtmu') / 4) for line in lines]
    loops = []
    for place, line in enumerate(lines):
        back = re.match(r'bu?\.?\w*\s+-(\d+)', line)
        if back:
            loops.append((place + 4 - int(back.group(1)) // 8, place + 3))
    return Program(steps, loops)


def read_amd(text):
    """Of AMD_DEBUG=cs,asm, which does not tell where branches lead: a loop counts once."""
    steps = []
    for line in re.findall(r'^\t([a-z]\w+.*?)\s*;', text.rpartition('disassembly:')[2], re.MULTILINE):
        name = line.split()[0]
        waits = int(line.split()[1], 0) if name == 's_nop' else 0
        macs = 2 if name.startswith(('v_pk_fma', 'v_dot2')) else 1 if re.match(r'v_(fma|fmac|fmamk|fmaak|mac|mad)_', name) else 0
        loads = re.match(r'(?:buffer|global|flat)_load_dword(?:x(\d))?', name)
        steps.append(Step(1 + waits, macs, int(loads.group(1) or 1) / 4 if loads else 0))
    return Program(steps, [])
