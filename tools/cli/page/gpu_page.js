// SPDX-License-Identifier: Apache-2.0
// Times of both engines by node, the launches of the GPU, and advice. A description without them draws nothing here.

function clockOf(title, nodes) {
  const list = nodes || [];
  return {title, nodes: new Map(list.map(node => [`${node.subgraph}:${node.node}`, node])),
    whole: sumOf(list, node => node.ms), most: largest(list, node => node.ms)};
}

const cpuClock = clockOf('CPU', model.run && model.run.nodes);
const gpuClock = clockOf('GPU', model.gpu && model.gpu.nodes);
const clocks = [cpuClock, gpuClock].filter(clock => clock.nodes.size > 0);
const mostMs = largest(clocks, clock => clock.most);

const timeOn = (clock, graph, op) => clock.nodes.get(`${graph.index}:${op.index}`);
const msOn = (clock, graph, op) => (timeOn(clock, graph, op) || {}).ms;

// The time of a node where it runs.
function shownMs(graph, op) {
  const there = msOn(gpuClock, graph, op), decision = decisionOf(graph, op);
  const isThere = gpuClock.nodes.size > 0 && decision && decision.decision !== 'cpu';
  return there !== undefined || isThere ? there : msOn(cpuClock, graph, op);
}

const mostShownMs = largest(model.subgraphs || [], graph => largest(graph.operators, op => shownMs(graph, op)));

function timeTexts(graph, op) {
  return clocks.filter(clock => timeOn(clock, graph, op)).map(clock => {
    const {ms, launches} = timeOn(clock, graph, op);
    const count = launches ? ` in ${manyText(launches, 'launch', 'launches')}` : '';
    return `${clock.title}: ${msText(ms)} ms${count}, ${percentText(ms, clock.whole)} of all nodes`;
  });
}

// Columns for each engine: milliseconds, share unless `short`, bar.
const timeTitles = short => clocks.flatMap(clock => [`>${clock.title} ms`, ...(short ? [] : ['>share']), '']);
const timeCells = (most, msOf, short) => clocks.flatMap(clock => {
  const ms = msOf(clock), share = percentText(ms, clock.whole);
  return [number(msText(ms), ms || 0), ...(short ? [] : [number(share, ms || 0)]), bar(ms && most > 0 ? ms / most : 0, `${clock.title}: ${share}`)];
});

function gpuCards() {
  const {gpu} = model;
  if (!gpu || gpu.error) return [];
  const list = [[`median of ${gpu.runs} runs on the GPU (${gpu.device}, ${gpu.engine})`, `${msText(gpu.median_ms)} ms`, 'gpu']];
  if (gpu.start_ms !== undefined) list.push(['start on the GPU', `${msText(gpu.start_ms)} ms`]);
  if (gpu.outside_ms !== undefined && gpu.outside_ms !== null) list.push(['of a run on the GPU outside launches', `${msText(gpu.outside_ms)} ms`]);
  if (gpu.bytes_across !== undefined) list.push(['cross between the processors per run', bytesText(gpu.bytes_across), 'across']);
  return list;
}

// The launches, the longest first.
function drawLaunches(parent) {
  const launches = (model.gpu && model.gpu.launches || []).slice().sort((a, b) => b.ms - a.ms);
  if (launches.length === 0) return;
  const made = section(parent, 'launches', `Launches on the GPU (${launches.length})`, 'h3');
  const most = launches[0].ms, whole = sumOf(launches, launch => launch.ms);
  const body = table(made, ['launch', '>ms', '>share', '>GMAC/s', '']);
  for (const {label, subgraph, node, ms, gmacs} of launches) {
    const known = model.subgraphs[subgraph] && model.subgraphs[subgraph].operators[node];
    row(body, [known ? nodeLink(subgraph, node, label) : label, number(msText(ms), ms), number(percentText(ms, whole), ms),
      number(gmacs === null || gmacs === undefined ? '' : gmacs.toFixed(1), gmacs || 0), bar(most > 0 ? ms / most : 0)]);
  }
}

function drawAdvice(parent) {
  if (!model.advice) return;
  const {lines, failed} = model.advice, made = section(parent, 'advice', 'Advice, by gain', 'h3');
  if (lines.length === 0) element(made, 'p', {}, 'Nothing was found that makes it quicker.');
  for (const text of failed || []) element(made, 'p', {class: 'note'}, `Not tried: ${text}`);
  if (lines.length === 0) return;
  const body = table(made, ['>gain, ms', '', 'advice', 'of a', 'known by']);
  for (const {text, gain_ms, of, measured} of lines) {
    const most = largest(lines.filter(line => line.of === of), line => line.gain_ms);
    row(body, [number(gain_ms > 0 ? `${measured ? '' : 'up to '}${msText(gain_ms)}` : 'open', gain_ms), bar(most > 0 ? gain_ms / most : 0),
      textWithLinks(element(null, 'span', {class: 'text'}), text), of, name(measured ? 'a trial' : 'an estimate')]);
  }
}

