// SPDX-License-Identifier: Apache-2.0
// The page of `tern bench`: one row for each model and engine, and below it the times by node and by launch where they
// were taken.

function drawBench() {
  const rows = model.bench;
  document.title = 'tern bench';
  element(page, 'h1', {}, 'tern bench');
  const machines = new Set(rows.map(run => [run.device, run.instruction_set].filter(text => text).join(', ')));
  element(page, 'p', {class: 'sub'}, [...machines].join(' · '));
  const made = section(page, 'runs', 'Times by model and engine');
  const body = table(made, ['model', 'engine', '>init ms', '>first ms', '>min ms', '>median ms', '', '>p90 ms', '>nodes on the engine']);
  for (const run of rows) {
    const most = largest(rows.filter(other => other.model === run.model), other => other.median_ms);
    row(body, [name(run.model), name(engineText(run)), ...[run.init_ms, run.first_ms, run.min_ms, run.median_ms].map(ms => number(msText(ms), ms)),
      bar(most > 0 ? run.median_ms / most : 0), number(msText(run.p90_ms), run.p90_ms), number(`${run.there} of ${run.nodes}`, run.there)]);
  }
  element(made, 'p', {class: 'sub'}, 'A bar is the median time of a run; the bars of one model have one scale.');
  const detailed = rows.filter(run => run.per_op.length > 0 || run.launches.length > 0);
  if (detailed.length === 0) return;
  const parts = section(page, 'nodes', 'Times by node');
  for (const run of detailed) drawBenchRun(parts, run, detailed.length === 1);
}

const engineText = run => run.ran_on && run.engine !== run.ran_on && !run.engine.includes(':') ? `${run.engine} = ${run.ran_on}` : run.engine;

function drawBenchRun(parent, run, open) {
  const box = element(parent, 'details', open ? {open: ''} : {});
  element(box, 'summary', {}, `${run.model} on ${engineText(run)}: ${msText(run.median_ms)} ms`);
  const columns = element(box, 'div', {class: 'columns'});
  const place = node => `${node.subgraph === 0 ? '' : `${node.subgraph}:`}${node.node}`;
  drawBenchTimes(columns, 'operator', run.per_op.map(node => ({...node, what: node.op})), [['>node', node => number(place(node), node.node)],
    ['output', node => shape(node.output)]]);
  drawBenchTimes(columns, 'launch', run.launches.map(launch => ({...launch, what: launch.launch})), [['kernel', launch => launch.kernel],
    ['>GMAC/s', launch => number(launch.gmacs === null ? '' : launch.gmacs.toFixed(1), launch.gmacs)],
    ['>of peak', launch => number(launch.peak_share === null ? '' : percentText(launch.peak_share, 1), launch.peak_share)]]);
  if (run.launches.length > 0) element(box, 'p', {class: 'sub'}, `${msText(run.outside_ms)} ms of a run are outside kernels` +
    (run.peak_gmacs > 0 ? `; the peak, measured in registers: ${run.peak_gmacs.toFixed(1)} GMAC/s` : ''));
}

// One row for each entry with its `what` and `ms`, and further columns: a title and what makes the cell.
function drawBenchTimes(parent, title, entries, further) {
  if (entries.length === 0) return;
  const most = largest(entries, entry => entry.ms), whole = sumOf(entries, entry => entry.ms);
  const body = table(element(parent, 'div'), [title, ...further.map(([head]) => head), '>ms', '>share', '']);
  for (const entry of entries) {
    row(body, [name(entry.what), ...further.map(([, cell]) => cell(entry)), number(msText(entry.ms), entry.ms),
      number(percentText(entry.ms, whole), entry.ms), bar(most > 0 ? entry.ms / most : 0)]);
  }
}

