// SPDX-License-Identifier: Apache-2.0
// Draws the description of a model. Texts of the model become text nodes, never markup.

const model = JSON.parse(document.getElementById('model').textContent);
const page = document.getElementById('page');
const SVG = 'http://www.w3.org/2000/svg';

function element(parent, name, attributes = {}, text) {
  const made = SVG_NAMES.has(name) ? document.createElementNS(SVG, name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  if (parent) parent.appendChild(made);
  return made;
}
const SVG_NAMES = new Set(['svg', 'g', 'rect', 'path', 'text', 'title', 'line', 'defs', 'marker']);

const bytesText = bytes => bytes === null || bytes === undefined ? 'open' : bytes < 1024 ? `${bytes} B` :
  bytes < 1048576 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 1048576).toFixed(2)} MiB`;
const msText = ms => ms >= 100 ? ms.toFixed(0) : ms >= 1 ? ms.toFixed(2) : ms.toFixed(4);
const shorten = (text, length) => text.length > length ? text.slice(0, length - 1) + '…' : text;
const shapeOf = tensor => tensor.shape_signature || tensor.shape;
const shapeText = tensor => shapeOf(tensor).length === 0 ? 'scalar' : shapeOf(tensor).map(d => d < 0 ? '?' : d).join('×');
const tensorAt = (graph, index) => graph.tensors[index];

// One colour per kind of operator, from its name alone, so that models can be compared.
function hueOf(op) {
  let hash = 7;
  for (const letter of op) hash = (hash * 31 + letter.charCodeAt(0)) >>> 0;
  return (hash * 137) % 360;
}

const times = new Map(model.run.nodes.map(node => [`${node.subgraph}:${node.node}`, node.ms]));
const wholeMs = model.run.nodes.reduce((sum, node) => sum + node.ms, 0);
const mostMs = model.run.nodes.reduce((most, node) => Math.max(most, node.ms), 0);
const timeOf = (graph, op) => times.get(`${graph.index}:${op.index}`);
const timed = times.size > 0;
const percent = ms => wholeMs > 0 ? `${(100 * ms / wholeMs).toFixed(1)}%` : '';

function quantizationText(q) {
  if (q && q.blocks) return `quantized by block of ${q.blocks.size}: scales in tensor ${q.blocks.scales}`;
  if (!q || q.scale.length === 0) return q && q.details ? q.details : '';
  if (q.scale.length > 1) return `quantized per channel: ${q.scale.length} scales along axis ${q.axis}`;
  return `quantized: scale ${Number(q.scale[0]).toPrecision(6)}, zero point ${q.zero_point.length > 0 ? q.zero_point[0] : 0}`;
}

// In one line, without what says nothing.
const SILENT = new Set(['NONE', 'DEFAULT', false]);
const SILENT_KEYS = new Set(['quantized_bias_type', 'pot_scale_int16']);
function optionsText(options) {
  if (!options) return '';
  const telling = Object.entries(options).filter(([key, value]) =>
    !SILENT.has(value) && !(key.startsWith('dilation') && value === 1) && !SILENT_KEYS.has(key));
  return telling.map(([key, value]) => `${key} ${typeof value === 'object' ? JSON.stringify(value) : value}`).join(', ');
}

// ---- tables

function table(parent, titles, scroll) {
  const made = element(scroll ? element(parent, 'div', {class: 'scroll'}) : parent, 'table');
  const head = element(element(made, 'thead'), 'tr');
  for (const title of titles) element(head, 'th', title.startsWith('>') ? {class: 'number'} : {}, title.replace('>', ''));
  return element(made, 'tbody');
}

function row(body, cells) {
  const made = element(body, 'tr');
  for (const cell of cells) {
    if (typeof cell === 'object') element(made, 'td', {class: cell.class}, cell.text);
    else element(made, 'td', {}, cell);
  }
  return made;
}

const number = text => ({class: 'number', text});
const shape = text => ({class: 'shape', text});
const name = text => ({class: 'name', text});

function barCell(parent, share) {
  const cell = element(parent, 'td', {class: 'barcell'});
  if (share > 0) element(cell, 'span', {class: 'bar', style: `width:${(100 * share).toFixed(1)}%`});
}

function totals(parent, graphs) {
  const kinds = new Map();
  for (const graph of graphs) {
    for (const op of graph.operators) {
      const kind = kinds.get(op.op) || {op: op.op, count: 0, ms: 0};
      kind.count += 1;
      kind.ms += timeOf(graph, op) || 0;
      kinds.set(op.op, kind);
    }
  }
  const sorted = [...kinds.values()].sort((a, b) => b.ms - a.ms || b.count - a.count);
  const most = sorted.reduce((value, kind) => Math.max(value, timed ? kind.ms : kind.count), 0);
  const body = table(parent, ['operator', '>nodes', ...(timed ? ['>ms per run', '>share'] : []), '']);
  for (const kind of sorted) {
    const made = row(body, [name(kind.op), number(kind.count), ...(timed ? [number(msText(kind.ms)), number(percent(kind.ms))] : [])]);
    barCell(made, most > 0 ? (timed ? kind.ms : kind.count) / most : 0);
  }
}

// ---- details of a node

function tensorDetails(parent, graph, index) {
  const tensor = tensorAt(graph, index), box = element(parent, 'div', {class: 'tensor'});
  if (!tensor) {
    element(box, 'p', {class: 'soft'}, index === -1 ? 'left out' : `tensor ${index}, which does not exist`);
    return;
  }
  element(box, 'p', {}, `${index}: ${tensor.name}`);
  element(box, 'p', {class: 'shape'}, `${shapeText(tensor)} ${tensor.type}`);
  const words = [bytesText(tensor.bytes)];
  if (tensor.constant_bytes > 0) words.push('constant');
  if (tensor.variable) words.push('variable');
  if (tensor.sparsity) words.push('sparse');
  const quantization = quantizationText(tensor.quantization);
  if (quantization) words.push(quantization);
  element(box, 'p', {class: 'soft'}, words.join(', '));
}

function nodeDetails(panel, graph, op) {
  panel.replaceChildren();
  element(panel, 'h3', {}, `${op.op} #${op.index}`);
  const ms = timeOf(graph, op);
  explainNode(panel, graph, op);
  element(panel, 'p', {class: 'soft'}, `version ${op.version}${op.custom ? ', custom' : ''}` +
    (ms === undefined ? '' : `, ${msText(ms)} ms, ${percent(ms)} of a run`));
  if (op.options) {
    element(panel, 'h3', {}, 'options');
    for (const [key, value] of Object.entries(op.options)) {
      const line = element(panel, 'p', {}, `${key}: ${typeof value === 'object' ? JSON.stringify(value) : value}`);
      if (key.endsWith('subgraph_index') && model.subgraphs[value]) {
        line.append(' ');
        element(line, 'a', {href: `#subgraph-${value}`}, model.subgraphs[value].name || 'show');
      }
    }
  }
  for (const [title, list] of [['inputs', op.inputs], ['outputs', op.outputs], ['intermediates', op.intermediates]]) {
    if (list.length === 0) continue;
    element(panel, 'h3', {}, title);
    for (const index of list) tensorDetails(panel, graph, index);
  }
}

// ---- the graph

function edgePath(vertices, edge) {
  const half = NODE_HEIGHT / 2;
  let from = vertices[edge[0]];
  let text = `M${from.x} ${from.y + half}`, y = from.y + half;
  for (const index of edge.slice(1)) {
    const to = vertices[index], bend = (to.y - half - y) / 2;
    text += `C${from.x} ${y + bend} ${to.x} ${to.y - half - bend} ${to.x} ${to.y - half}`;
    if (to.kind === 'pass') text += `V${to.y + half}`;
    from = to;
    y = to.y + half;
  }
  return text;
}

function drawNode(svg, graph, vertex) {
  const isOp = vertex.kind === 'op', x = vertex.x - NODE_WIDTH / 2, y = vertex.y - NODE_HEIGHT / 2;
  const group = element(svg, 'g', {class: isOp ? 'node' : 'node end'});
  const op = isOp ? graph.operators[vertex.index] : null;
  const tensor = tensorAt(graph, isOp ? op.outputs[0] : vertex.index);
  const hue = isOp ? hueOf(op.op) : 0;
  element(group, 'rect', {class: 'box', x, y, width: NODE_WIDTH, height: NODE_HEIGHT, rx: isOp ? 6 : 22,
    ...(isOp ? toneOf(graph, op) || {fill: `hsl(${hue} 70% 94%)`, stroke: `hsl(${hue} 45% 55%)`} : {})});
  const title = isOp ? op.op : `${vertex.kind}: ${tensor.name}`;
  element(group, 'text', {class: 'name', x: vertex.x, y: y + 18, 'text-anchor': 'middle'}, shorten(title, 23));
  const second = tensor ? `${shapeText(tensor)} ${tensor.type}` : '';
  element(group, 'text', {class: 'shape', x: vertex.x, y: y + 33, 'text-anchor': 'middle'}, shorten(second, 28));
  const ms = isOp ? timeOf(graph, op) : undefined;
  if (ms > 0) {
    const width = Math.max(1, (NODE_WIDTH - 12) * ms / mostMs);
    element(group, 'rect', {class: 'heat', x: x + 6, y: y + NODE_HEIGHT - 7, width, height: 3.5, rx: 1.5});
  }
  const lines = isOp ? [`#${op.index} ${op.op}`, second, optionsText(op.options), ms === undefined ? '' : `${msText(ms)} ms`, ...whyTexts(graph, op)] : [title, second];
  if (tensor) lines.push(quantizationText(tensor.quantization), bytesText(tensor.bytes));
  element(group, 'title', {}, lines.filter(line => line).join('\n'));
  return group;
}

// Returns what chooses a node, for the table below.
function drawGraph(parent, graph) {
  const box = element(parent, 'div', {class: 'graph'});
  const canvas = element(box, 'div', {class: 'canvas'});
  const zoomBox = element(canvas, 'div', {class: 'zoom'});
  const scroll = element(canvas, 'div', {class: 'scroll'});
  const panel = element(box, 'div', {class: 'details'});
  element(panel, 'p', {class: 'soft'}, `Click a node for its options, tensors and ${model.explain ? 'reason. Red lines cross between the processors' : 'time. The bar in a node is its time'}; a dashed node is an input or an output of the graph. Constants are not drawn.`);
  const {vertices, edges, width, height} = layoutGraph(graph);
  const svg = element(scroll, 'svg', {viewBox: `0 0 ${width} ${height}`, role: 'img'});
  const zoom = factor => {
    svg.setAttribute('width', width * factor);
    svg.setAttribute('height', height * factor);
    svg.dataset.factor = factor;
  };
  for (const [label, change] of [['−', () => svg.dataset.factor / 1.25], ['+', () => svg.dataset.factor * 1.25],
    ['fit', () => Math.min(1, (scroll.clientWidth - 4) / width)], ['1:1', () => 1]]) {
    element(zoomBox, 'button', {type: 'button'}, label).addEventListener('click', () => zoom(change()));
  }
  const lines = edges.map(edge => {
    const line = element(svg, 'path', {class: 'edge', d: edgePath(vertices, edge)});
    return {line, ends: [edge[0], edge[edge.length - 1]]};
  });
  markCrossings(svg, graph, vertices, lines);
  const groups = new Map();
  const choose = v => {
    for (const [other, group] of groups) group.classList.toggle('chosen', other === v);
    for (const {line, ends} of lines) line.classList.toggle('on', ends.includes(v));
    if (vertices[v].kind === 'op') {
      nodeDetails(panel, graph, graph.operators[vertices[v].index]);
    } else {
      panel.replaceChildren();
      element(panel, 'h3', {}, `${vertices[v].kind} of the graph`);
      tensorDetails(panel, graph, vertices[v].index);
    }
  };
  vertices.forEach((vertex, v) => {
    if (vertex.kind === 'pass') return;
    const group = drawNode(svg, graph, vertex);
    group.addEventListener('click', () => choose(v));
    groups.set(v, group);
  });
  zoom(1);
  const first = vertices.find(vertex => vertex.layer === 0);
  if (first) scroll.scrollLeft = first.x - scroll.clientWidth / 2;
  const byOperator = new Map(vertices.map((vertex, v) => [vertex.kind === 'op' ? vertex.index : -1, v]));
  return index => {
    const vertex = vertices[byOperator.get(index)], factor = Number(svg.dataset.factor);
    choose(byOperator.get(index));
    scroll.scrollTo(vertex.x * factor - scroll.clientWidth / 2, vertex.y * factor - scroll.clientHeight / 2);
    box.scrollIntoView({block: 'nearest'});
  };
}

// ---- memory

function drawMemory(parent, graph, memory) {
  const width = 1340, height = 280, left = 80, steps = Math.max(1, graph.operators.length);
  const most = memory.blocks.reduce((end, block) => Math.max(end, block.offset + block.bytes), memory.arena_lower_bound);
  if (memory.blocks.length === 0 || most === 0) return;
  element(parent, 'h3', {}, `Memory over time: ${bytesText(memory.arena_bytes)} for tensors that are computed ` +
    `(no plan needs less than ${bytesText(memory.arena_lower_bound)})`);
  const scroll = element(parent, 'div', {class: 'scroll'});
  const svg = element(scroll, 'svg', {width: left + width + 20, height: height + 40, role: 'img'});
  const y = bytes => 10 + height * (1 - bytes / most);
  for (const share of [0, 0.25, 0.5, 0.75, 1]) {
    element(svg, 'line', {x1: left, x2: left + width, y1: y(share * most), y2: y(share * most), stroke: '#e3e8ee'});
    element(svg, 'text', {class: 'axis', x: left - 8, y: y(share * most) + 4, 'text-anchor': 'end'}, bytesText(Math.round(share * most)));
  }
  for (const block of memory.blocks) {
    const tensor = tensorAt(graph, block.tensor);
    const rect = element(svg, 'rect', {class: 'block', x: left + width * block.first / steps, y: y(block.offset + block.bytes),
      width: Math.max(1, width * (block.last - block.first + 1) / steps), height: Math.max(1, height * block.bytes / most),
      fill: `hsl(${(block.tensor * 47) % 360} 55% 65%)`});
    element(rect, 'title', {}, `${tensor ? tensor.name : 'scratch memory'} (tensor ${block.tensor})\n${bytesText(block.bytes)} at ` +
      `${block.offset}\nsteps ${block.first} to ${block.last}`);
  }
  element(svg, 'text', {class: 'axis', x: left, y: height + 28}, 'first node');
  element(svg, 'text', {class: 'axis', x: left + width, y: height + 28, 'text-anchor': 'end'}, `last of ${steps} nodes`);
}

// ---- the page

function drawHead() {
  const file = model.file.split('/').pop();
  document.title = file;
  element(page, 'h1', {}, file);
  element(page, 'p', {class: 'sub'}, [model.description, `schema version ${model.schema_version}`].filter(text => text).join(' · '));
  const nodes = model.subgraphs.reduce((sum, graph) => sum + graph.operators.length, 0);
  const arena = model.run.memory.reduce((sum, memory) => sum + memory.arena_bytes, 0);
  const cards = [['file', bytesText(model.bytes)], ['constants', bytesText(model.buffers.bytes)], ['subgraphs', model.subgraphs.length],
    ['nodes', nodes], ...(model.explain ? [] : [['memory of tensors', arena > 0 ? bytesText(arena) : '–']])];
  if (timed) cards.push([`median of ${model.run.runs} runs on ${model.run.threads} thread, ${model.run.instruction_set}`, `${msText(model.run.median_ms)} ms`]);
  const list = element(page, 'div', {class: 'cards'});
  for (const [label, value] of cards) {
    const card = element(list, 'div', {class: 'card'});
    element(card, 'b', {}, value);
    element(card, 'span', {}, label);
  }
  if (model.run.error) element(page, 'p', {class: 'note'}, `Not run: ${model.run.error}`);
  if (model.subgraphs.length > 1) {
    const nav = element(page, 'nav');
    for (const graph of model.subgraphs) {
      element(nav, 'a', {href: `#subgraph-${graph.index}`}, `${graph.index} ${graph.name} (${graph.operators.length})`);
    }
  }
  explainAll(page);
  if (model.signatures.length > 0) {
    element(page, 'h3', {}, 'Signatures');
    const body = table(page, ['key', '>subgraph', 'inputs', 'outputs']);
    const names = list => list.map(entry => `${entry.name} = ${entry.tensor}`).join(', ');
    for (const s of model.signatures) row(body, [s.key, number(s.subgraph), names(s.inputs), names(s.outputs)]);
  }
  if (model.metadata.length > 0) {
    element(page, 'h3', {}, 'Metadata');
    const body = table(page, ['name', '>bytes']);
    for (const entry of model.metadata) row(body, [entry.name, number(entry.bytes)]);
  }
  if (nodes > 0) {
    element(page, 'h3', {}, 'Operators');
    totals(page, model.subgraphs);
  }
}

function drawSubgraph(graph) {
  const section = element(page, 'section', {id: `subgraph-${graph.index}`});
  element(section, 'h2', {}, `Subgraph ${graph.index} ${graph.name}`);
  const choose = drawGraph(section, graph);
  element(section, 'h3', {}, `Nodes (${graph.operators.length})`);
  const explained = model.explain !== undefined;
  const body = table(section, ['>#', 'operator', 'outputs', 'options', ...(explained ? EXPLAIN_TITLES : []), ...(timed ? ['>ms', '>share', ''] : [])], true);
  for (const op of graph.operators) {
    const outputs = op.outputs.map(index => tensorAt(graph, index)).filter(tensor => tensor);
    const ms = timeOf(graph, op);
    const made = row(body, [number(op.index), name(op.op), shape(outputs.map(tensor => `${shapeText(tensor)} ${tensor.type}`).join(', ')),
      optionsText(op.options), ...(explained ? explainCells(graph, op) : []), ...(timed ? [number(ms === undefined ? '' : msText(ms)), number(ms === undefined ? '' : percent(ms))] : [])]);
    if (timed) barCell(made, ms && mostMs > 0 ? ms / mostMs : 0);
    made.classList.add('choice');
    made.addEventListener('click', () => choose(op.index));
  }
  const memory = model.run.memory.find(entry => entry.subgraph === graph.index);
  if (memory) drawMemory(section, graph, memory);
}

drawHead();
model.subgraphs.forEach(drawSubgraph);
