// SPDX-License-Identifier: Apache-2.0
// The part of the page that tells which node runs where, and why: `explain` of the description. A description without it
// draws nothing here.

const PLACES = {gpu: 'on the GPU', folded: 'folded: in a part on the GPU, without a launch of its own', cpu: 'on the CPU'};
const explained = model.explain !== undefined;
const EXPLAIN_TITLES = explained ? ['runs', 'reason', '>bytes across'] : [];

const decisions = new Map((explained ? model.explain.decisions : []).map(d => [`${d.subgraph}:${d.index}`, d]));
const decisionOf = (graph, op) => decisions.get(`${graph.index}:${op.index}`);

// The class of a node in pictures: gpu, cpu or folded.
function placeOf(graph, op) {
  const decision = decisionOf(graph, op);
  return decision && PLACES[decision.decision] ? decision.decision : '';
}

function whyTexts(graph, op) {
  const decision = decisionOf(graph, op);
  return decision ? [`${decision.decision}: ${decision.code}: ${decision.reason}`] : [];
}

function explainCells(graph, op) {
  if (!explained) return [];
  const decision = decisionOf(graph, op);
  if (!decision) return ['', '', ''];
  const part = decision.partition === undefined ? '' : ` ${decision.partition}`;
  return [{class: `name place ${decision.decision}`, text: decision.decision + part},
    {class: 'text', text: decision.decision === 'gpu' ? '' : `${decision.code}: ${decision.reason}`},
    number(decision.bytes_crossing > 0 ? bytesText(decision.bytes_crossing) : '', decision.bytes_crossing)];
}

function explainNode(panel, graph, op) {
  const decision = decisionOf(graph, op);
  if (!decision) return;
  const line = element(panel, 'p', {class: `place ${decision.decision}`});
  element(line, 'b', {}, PLACES[decision.decision] + (decision.partition === undefined ? '' : `, part ${decision.partition}`));
  element(panel, 'p', {}, `${decision.code}: ${decision.reason}`);
  if (decision.tensor) {
    element(panel, 'p', {class: 'shape'}, `${decision.tensor.name} ${decision.tensor.type} [${decision.tensor.shape.join('×')}]`);
  }
  if (decision.limit !== undefined) element(panel, 'p', {}, `${decision.value}, the limit is ${decision.limit}`);
  if (decision.suggestion) element(panel, 'p', {}, `To change it: ${decision.suggestion}.`);
  const cost = decision.multiply_adds;
  element(panel, 'p', {class: 'soft'}, (Number.isFinite(cost) ? `about ${cost.toLocaleString('en')} multiply-adds over ${bytesText(decision.bytes)}; ` : '') +
    `${bytesText(decision.bytes_crossing)} cross because of cuts`);
}

// Edges between the processors, with their bytes: the cost of a cut in each run.
function markCrossings(svg, graph, vertices, lines) {
  if (!explained) return;
  const crossings = model.explain.crossings.filter(c => c.subgraph === graph.index);
  const opOf = v => vertices[v].kind === 'op' ? graph.operators[vertices[v].index] : undefined;
  for (const {line, ends: [from, to]} of lines) {
    const writer = opOf(from), reader = opOf(to);
    const tensors = new Set((writer ? writer.outputs : [vertices[from].index])
      .filter(t => (reader ? reader.inputs : [vertices[to].index]).includes(t)));
    const both = crossings.filter(c => tensors.has(c.tensor) && c.cut && writer && reader && c.readers.includes(reader.index) &&
      c.writer === writer.index);
    const atEnd = crossings.some(c => tensors.has(c.tensor) && (!writer && c.writer < 0 && reader && c.readers.includes(reader.index) ||
      !reader && writer && c.writer === writer.index));
    if (atEnd) line.classList.add('across');
    if (both.length === 0) continue;
    line.classList.add('cut');
    const a = vertices[from], b = vertices[to];
    element(svg, 'text', {class: 'cut', x: (a.x + b.x) / 2 + 6, y: (a.y + b.y) / 2 + 4}, bytesText(sumOf(both, c => c.bytes)));
  }
}

// Nodes with one operation and one reason, the largest group first.
function groupsOf(place) {
  const groups = new Map();
  for (const d of model.explain.decisions) {
    if (d.decision !== place) continue;
    const key = [d.code, d.op, d.version, d.reason].join('\n');
    const group = groups.get(key) || {...d, nodes: [], cost: 0, across: 0};
    group.nodes.push([d.subgraph, d.index]);
    group.cost += d.multiply_adds || 0;
    group.across += d.bytes_crossing;
    groups.set(key, group);
  }
  return [...groups.values()].sort((a, b) => b.nodes.length - a.nodes.length);
}

function drawGroups(parent, place) {
  const isCpu = place === 'cpu';
  const body = table(parent, ['operator', 'reason', '>count', 'nodes', '>multiply-adds', ...(isCpu ? ['>bytes across', 'to change it'] : [])]);
  for (const group of groupsOf(place)) {
    const links = element(null, 'span', {class: 'text'});
    links.append(nodeLinks(group.nodes));
    row(body, [name(group.op), {class: 'text', text: `${group.code}: ${group.reason}`}, number(group.nodes.length), links,
      number(group.cost.toLocaleString('en'), group.cost),
      ...(isCpu ? [number(bytesText(group.across), group.across), {class: 'text', text: group.suggestion || ''}] : [])]);
  }
}

function explainAll(parent) {
  if (!explained) return;
  const {engine, device, crossings, not_applied, needs} = model.explain;
  const made = section(parent, 'places', `Where it runs: ${device || engine}`, 'h3');
  if (not_applied) element(made, 'p', {class: 'note'}, `All of it on the CPU: ${not_applied}`);
  for (const need of needs || []) element(made, 'p', {class: 'note'}, `Before it runs: ${need}`);
  const all = [...decisions.values()], count = place => all.filter(d => d.decision === place).length;
  const cuts = crossings.filter(c => c.cut), ends = crossings.filter(c => !c.cut);
  const bytes = list => bytesText(sumOf(list, c => c.bytes));
  const parts = new Set(all.filter(d => d.partition !== undefined).map(d => `${d.subgraph}:${d.partition}`)).size;
  cards(made, [['nodes on the GPU', count('gpu'), 'gpu'], ['folded into them', count('folded'), 'folded'],
    ['nodes on the CPU', count('cpu'), 'cpu'], [parts === 1 ? 'part on the GPU' : 'parts on the GPU', parts],
    [cuts.length === 0 ? 'crosses inside the model per run' : `cross inside the model per run, in ${manyText(cuts.length, 'tensor', 'tensors')}`,
      cuts.length === 0 ? 'nothing' : bytes(cuts), 'across'],
    [`${ends.length === 0 ? 'crosses' : 'cross'} at inputs and outputs per run`, ends.length === 0 ? 'nothing' : bytes(ends), 'across']]);
  if (count('cpu') > 0) {
    element(made, 'h4', {}, 'Why on the CPU');
    drawGroups(made, 'cpu');
  }
  if (count('folded') === 0) return;
  const box = element(made, 'details');
  element(box, 'summary', {}, `Why ${manyText(count('folded'), 'node is', 'nodes are')} folded`);
  drawGroups(box, 'folded');
}

