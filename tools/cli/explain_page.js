// SPDX-License-Identifier: Apache-2.0
// What the page of a model shows where `explain` of the description tells which node runs where. Without it nothing of
// this is drawn.

const TONES = {gpu: {fill: '#ddf3e4', stroke: '#2f8f4e'}, folded: {fill: '#eceff3', stroke: '#8795a6'},
  cpu: {fill: '#ffe3d3', stroke: '#d9622b'}};
const PLACES = {gpu: 'on the GPU', folded: 'folded: in a part on the GPU, without a launch of its own', cpu: 'on the CPU'};
const EXPLAIN_TITLES = ['runs', 'reason', '>bytes across'];

function decisionOf(graph, op) {
  return (model.explain ? model.explain.decisions : []).find(d => d.subgraph === graph.index && d.index === op.index);
}

function toneOf(graph, op) {
  const decision = decisionOf(graph, op);
  return decision && TONES[decision.decision];
}

function whyTexts(graph, op) {
  const decision = decisionOf(graph, op);
  return decision ? [`${decision.decision}: ${decision.code}: ${decision.reason}`] : [];
}

function explainCells(graph, op) {
  const decision = decisionOf(graph, op);
  if (!decision) return ['', '', ''];
  const part = decision.partition === undefined ? '' : ` ${decision.partition}`;
  return [name(decision.decision + part), decision.decision === 'gpu' ? '' : `${decision.code}: ${decision.reason}`,
    number(decision.bytes_crossing > 0 ? bytesText(decision.bytes_crossing) : '')];
}

function explainNode(panel, graph, op) {
  const decision = decisionOf(graph, op);
  if (!decision) return;
  const line = element(panel, 'p');
  element(line, 'b', {}, PLACES[decision.decision] + (decision.partition === undefined ? '' : `, part ${decision.partition}`));
  element(panel, 'p', {}, `${decision.code}: ${decision.reason}`);
  if (decision.tensor) {
    element(panel, 'p', {class: 'shape'}, `${decision.tensor.name} ${decision.tensor.type} [${decision.tensor.shape.join('×')}]`);
  }
  if (decision.limit !== undefined) element(panel, 'p', {}, `${decision.value}, the limit is ${decision.limit}`);
  if (decision.suggestion) element(panel, 'p', {}, `To change it: ${decision.suggestion}.`);
  element(panel, 'p', {class: 'soft'}, `about ${decision.multiply_adds} multiply-adds over ${bytesText(decision.bytes)}; ` +
    `${bytesText(decision.bytes_crossing)} cross because of cuts`);
}

// Edges between the processors, with their bytes: what a cut costs in each run.
function markCrossings(svg, graph, vertices, lines) {
  if (!model.explain) return;
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
    if (atEnd) line.classList.add('end');
    if (both.length === 0) continue;
    line.classList.add('cut');
    const bytes = both.reduce((sum, c) => sum + c.bytes, 0), a = vertices[from], b = vertices[to];
    element(svg, 'text', {class: 'cut', x: (a.x + b.x) / 2 + 6, y: (a.y + b.y) / 2 + 4}, bytesText(bytes));
  }
}

function explainAll(parent) {
  if (!model.explain) return;
  const {engine, device, decisions, crossings, not_applied, needs} = model.explain;
  element(parent, 'h3', {}, `Where it runs: ${device || engine}`);
  if (not_applied) element(parent, 'p', {class: 'note'}, `All of it on the CPU: ${not_applied}`);
  for (const need of needs || []) element(parent, 'p', {class: 'note'}, `Before it runs: ${need}`);
  const count = place => decisions.filter(d => d.decision === place).length;
  const cuts = crossings.filter(c => c.cut), ends = crossings.filter(c => !c.cut);
  const bytes = list => bytesText(list.reduce((sum, c) => sum + c.bytes, 0));
  const parts = new Set(decisions.filter(d => d.partition !== undefined).map(d => `${d.subgraph}:${d.partition}`)).size;
  const list = element(parent, 'div', {class: 'cards'});
  for (const [label, value] of [['nodes on the GPU', count('gpu')], ['folded into them', count('folded')],
    ['nodes on the CPU', count('cpu')], ['parts on the GPU', parts], [`cross in ${cuts.length} cuts per run`, bytes(cuts)],
    [`cross at ${ends.length} ends of the graph`, bytes(ends)]]) {
    const card = element(list, 'div', {class: 'card'});
    element(card, 'b', {}, value);
    element(card, 'span', {}, label);
  }
  const key = element(parent, 'p', {class: 'sub'});
  for (const [place, tone] of Object.entries(TONES)) {
    element(key, 'span', {class: 'key', style: `background:${tone.fill};border-color:${tone.stroke}`});
    key.append(PLACES[place]);
  }
  const codes = new Map();
  for (const d of decisions) {
    if (d.decision !== 'cpu') continue;
    const code = codes.get(d.code) || {nodes: 0, cost: 0, bytes: 0, suggestion: d.suggestion || ''};
    code.nodes += 1;
    code.cost += d.multiply_adds || 0;
    code.bytes += d.bytes_crossing;
    codes.set(d.code, code);
  }
  if (codes.size === 0) return;
  const body = table(parent, ['why on the CPU', '>nodes', '>multiply-adds', '>bytes across', 'what to change']);
  for (const [code, sum] of [...codes].sort((a, b) => b[1].nodes - a[1].nodes)) {
    row(body, [name(code), number(sum.nodes), number(sum.cost.toLocaleString('en')), number(bytesText(sum.bytes)), sum.suggestion]);
  }
}

