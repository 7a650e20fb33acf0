# SPDX-License-Identifier: Apache-2.0
"""Draws what models.py and memory.py measured as one HTML page that needs nothing else:
report.py RESULTS.json [--memory MEMORY.json] [--out report.html]"""
import argparse
import html
import json
import math
import pathlib
import statistics

COLORS = {'mnn:1': '#c9a9d6', 'mnn:2': '#8a5fa0', 'ncnn:1': '#8fd0c6', 'ncnn:2': '#2f8f83',
          'cpu:1': '#4878a8', 'cpu:2': '#1d4e89', 'opencl': '#b8792b', 'opencl:1': '#d6a763', 'opencl:2': '#b8792b', 'gles': '#5a8a3c',
          'reference': '#8a8f98', 'tern': '#1d4e89'}
STYLE = '''
body { font: 14px/1.45 system-ui, sans-serif; color: #222; max-width: 980px; margin: 2em auto; padding: 0 1em; }
h1 { font-size: 22px; margin-bottom: 0; } h2 { font-size: 17px; margin-top: 2em; } h3 { font-size: 14px; margin-bottom: .3em; }
p { margin: .4em 0; color: #555; } svg { display: block; } svg text { font: 12px system-ui, sans-serif; fill: #222; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 13px; }
td, th { padding: 2px 10px; text-align: right; border-bottom: 1px solid #e6e6e6; font-weight: normal; }
th { color: #555; } td:first-child, th:first-child { text-align: left; }
.missed { color: #a32020; } .met { color: #1c6b35; }
.key span { display: inline-block; width: 11px; height: 11px; margin: 0 5px 0 14px; }
'''
# Operators of the model format and of the reference's own library by what they do; the first word that occurs decides.
FAMILIES = [
    ('depthwise convolution', ('depthwise', 'dwconv')),
    ('transposed convolution', ('transpose_conv', 'transposebias', 'deconvolution')),
    ('convolution, matrix product', ('conv', 'gemm', 'fully', 'matmul', 'matrix')),
    ('recurrent', ('lstm', 'rnn', 'svdf')),
    ('pooling, mean', ('pool', 'mean', 'sum', 'reduce')),
    ('resize', ('resize',)),
    ('activation', ('relu', 'sigmoid', 'logistic', 'tanh', 'swish', 'softmax', 'clamp', 'unary', 'elu', 'convert', 'quantize')),
    ('arithmetic', ('add', 'mul', 'sub', 'div', 'max', 'min', 'binary', 'sqrt', 'exp', 'square')),
    ('copies', ('copy', 'reshape', 'pad', 'transpose', 'concat', 'slice', 'split', 'space', 'gather', 'pack', 'cast')),
]
ROW, BAR = 17, 12


def family(op):
    return next((name for name, words in FAMILIES if any(word in op.lower() for word in words)), 'other')


def color(peer):
    return COLORS.get(peer, '#777')


def svg(width, height, parts):
    return f'<svg width="{width}" height="{height}" role="img">{"".join(parts)}</svg>'


def text(x, y, what, anchor='start'):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{html.escape(what)}</text>'


def rect(x, y, width, fill):
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width, 1):.1f}" height="{BAR}" fill="{fill}"/>'


def line(x, height, stroke, dashes=''):
    return f'<line x1="{x:.1f}" x2="{x:.1f}" y1="18" y2="{height}" stroke="{stroke}" stroke-dasharray="{dashes}"/>'


def key(peers):
    return '<p class="key">' + ''.join(f'<span style="background:{color(p)}"></span>{p}' for p in peers) + '</p>'


def ratio_chart(models, peers):
    """Bars from 1 on a logarithmic scale: to the left faster than the reference, to the right slower."""
    ratios = [m['ratio'][p] for m in models for p in peers if p in m['ratio']]
    low, high = math.log2(min(ratios + [0.5])), math.log2(max(ratios + [2]))
    left, width = 330, 560
    at = lambda ratio: left + (math.log2(ratio) - low) / (high - low) * width
    parts, y = [], 26
    for model in models:
        shown = [p for p in peers if p in model['ratio']]
        parts.append(text(0, y + ROW * len(shown) / 2 + 3, model['name']))
        for peer in shown:
            ratio = model['ratio'][peer]
            parts.append(rect(min(at(1), at(ratio)), y, abs(at(ratio) - at(1)), color(peer)))
            end = at(ratio) + (4 if ratio >= 1 else -4)
            parts.append(text(end, y + BAR - 2, f'{ratio:.2f}', 'start' if ratio >= 1 else 'end'))
            y += ROW
        y += 8
    marks = [2.0 ** n for n in range(math.ceil(low), math.floor(high) + 1)]
    grid = [line(at(mark), y, '#ddd') + text(at(mark), 12, f'{mark:g}', 'middle') for mark in marks]
    grid += [line(at(1), y, '#222'), line(at(1.25), y, '#a32020', '4 3')]
    return svg(left + width + 60, y, grid + parts)


def paired_chart(rows, names):
    """Rows of (label, values by name), linear from 0."""
    left, width, y = 230, 600, 4
    most = max([value for _, values in rows for value in values.values()] + [1e-9])
    parts = []
    for label, values in rows:
        parts.append(text(0, y + ROW * len(names) / 2 + 3, label))
        for name in names:
            if name in values:
                parts.append(rect(left, y, values[name] / most * width, color(name)))
                parts.append(text(left + values[name] / most * width + 4, y + BAR - 2, f'{values[name]:.3f}'))
            y += ROW
        y += 6
    return svg(left + width + 70, y, parts)


def operator_section(model):
    sums = {}
    for name, nodes in (('tern', model['per_op']), ('reference', model.get('reference_per_op', []))):
        for node in nodes:
            values = sums.setdefault(family(node['op']), {})
            values[name] = values.get(name, 0) + node['ms']
    rows = sorted(sums.items(), key=lambda row: -max(row[1].values()))
    names = ['tern', 'reference'] if 'reference_per_op' in model else ['tern']
    return f'<h3>{html.escape(model["name"])}, ms on one thread</h3>' + paired_chart(rows, names)


def table(head, rows):
    line_of = lambda cell, row: '<tr>' + ''.join(f'<{cell}>{value}</{cell}>' for value in row) + '</tr>'
    return '<table>' + line_of('th', head) + ''.join(line_of('td', row) for row in rows) + '</table>'


def number(value, digits=2):
    return '-' if value is None else f'{value:.{digits}f}'


def summary_table(summaries):
    rows = []
    for s in summaries:
        verdict = f'<span class="{"met" if s["met"] else "missed"}">{"met" if s["met"] else "missed"}</span>' if 'met' in s else ''
        rows.append([s['kind'], s['peer'], s['base'], s['models'], number(s['geomean']),
                     f'{html.escape(s["worst"])} {s["worst_ratio"]:.2f}', verdict])
    return table(['models', 'engine', 'over', 'count', 'geomean', 'slowest', 'goal: geomean 1.0, model 1.25'], rows)


def times_table(models, peers):
    rows = []
    for m in models:
        times = [number(statistics.median(m['ms'][p]), 3) if m['ms'].get(p) else '-' for p in peers]
        rows.append([html.escape(m['name'])] + times)
    return table(['median ms'] + peers, rows)


def memory_section(rows):
    cells = []
    for row in rows:
        larger = row['tern'] and row.get('reference') and row['tern'] > row['reference']
        ours = f'<span class="{"missed" if larger else "met"}">{number(row["tern"], 1)}</span>'
        cells.append([html.escape(row['name']), ours, number(row.get('reference'), 1), number(row.get('plain'), 1),
                      number(row.get('arena'), 2), number(row.get('bound'), 2)])
    return ('<h2>Memory</h2><p>Peak resident size of one run in MiB; activations and their lower bound.</p>'
            + table(['model', 'tern', 'reference', 'its plain kernels', 'activations', 'bound'], cells))


def page(results, memory):
    here, models, peers = results['machine'], results['models'], results['peers']
    ours = [peer for peer in peers if not peer.startswith('reference')]
    parts = [f'<h1>Tern beside the reference</h1><p>{html.escape(here["name"])}, {here["cores"]} cores; instruction set '
             f'of our CPU engine: {html.escape(here["instruction_set"])}; {here["when"]}</p>', summary_table(results['summaries'])]
    for kind in ('float', 'quantized', 'other'):
        chosen = [m for m in models if m['kind'] == kind and m['ratio']]
        if chosen:
            parts += [f'<h2>{kind.capitalize()} models: time over that of the reference</h2>',
                      '<p>cpu:1 over the reference with one thread, all others over it with two, GPU engines over its GPU '
                      'accelerator where that is among the peers. Left of 1 is faster; '
                      'the dashed line is the goal for a single model.</p>', key(ours), ratio_chart(chosen, ours)]
    slow = [m for m in models if 'per_op' in m]
    if slow:
        parts += ['<h2>The slowest models by operator</h2>', key(['tern', 'reference'])] + [operator_section(m) for m in slow]
    parts += ['<h2>Times</h2>', times_table(models, peers)]
    if memory:
        parts.append(memory_section(memory))
    return f'<!doctype html><meta charset="utf-8"><title>Tern bench</title><style>{STYLE}</style>' + '\n'.join(parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('results', help='what models.py --json wrote')
    parser.add_argument('--memory', help='what memory.py --json wrote')
    parser.add_argument('--out', default='build/bench/report.html')
    args = parser.parse_args()
    memory = json.loads(pathlib.Path(args.memory).read_text()) if args.memory else None
    out = pathlib.Path(args.out)
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(page(json.loads(pathlib.Path(args.results).read_text()), memory))
    print(f'{out}: the report')


if __name__ == '__main__':
    main()
