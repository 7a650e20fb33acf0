// SPDX-License-Identifier: Apache-2.0
// Draws the description of a model, or the times of `tern bench`, from the parts in the other scripts.

const shapeOf = tensor => tensor.shape_signature || tensor.shape || [];
const shapeText = tensor => shapeOf(tensor).length === 0 ? 'scalar' : shapeOf(tensor).map(d => d < 0 ? '?' : d).join('×');
const tensorAt = (graph, index) => graph.tensors[index];
const cpuRun = model.run || {};

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

// ---- totals by operator

function totals(parent, graphs) {
  const kinds = new Map();
  for (const graph of graphs) {
    for (const op of graph.operators) {
      const kind = kinds.get(op.op) || {op: op.op, nodes: [], ms: new Map(clocks.map(clock => [clock, 0]))};
      kind.nodes.push([graph.index, op.index]);
      for (const clock of clocks) kind.ms.set(clock, kind.ms.get(clock) + (msOn(clock, graph, op) || 0));
      kinds.set(op.op, kind);
    }
  }
  const all = [...kinds.values()], main = clocks[clocks.length - 1];
  const sorted = all.sort((a, b) => (main ? b.ms.get(main) - a.ms.get(main) : 0) || b.nodes.length - a.nodes.length);
  const most = largest(clocks, clock => largest(all, kind => kind.ms.get(clock)));
  const body = table(parent, ['operator', '>count', ...timeTitles(), 'nodes']);
  for (const kind of sorted) {
    row(body, [name(kind.op), number(kind.nodes.length), ...timeCells(most, clock => kind.ms.get(clock)), nodeLinks(kind.nodes, 3)]);
  }
}

// ---- details of a node

// Links to the nodes that write and read a tensor, other than the node that is shown.
function neighbours(parent, graph, index, shown) {
  for (const [title, list] of [['written by', 'outputs'], ['read by', 'inputs']]) {
    const nodes = graph.operators.filter(op => op[list].includes(index) && op.index !== shown);
    if (nodes.length === 0) continue;
    element(parent, 'p', {class: 'soft'}, `${title} `).append(nodeLinks(nodes.map(op => [graph.index, op.index]), 8));
  }
}

function tensorDetails(parent, graph, index, shown, chosen) {
  const tensor = tensorAt(graph, index), box = element(parent, 'div', {class: index === chosen ? 'tensor chosen' : 'tensor'});
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
  neighbours(box, graph, index, shown);
}

function nodeDetails(panel, graph, op, chosen) {
  element(panel, 'h3', {}, `${op.op} #${op.index}`);
  explainNode(panel, graph, op);
  for (const text of timeTexts(graph, op)) element(panel, 'p', {class: 'times'}, text);
  element(panel, 'p', {class: 'soft'}, `version ${op.version}${op.custom ? ', custom' : ''}`);
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
    for (const index of list) tensorDetails(panel, graph, index, op.index, chosen);
  }
}

function showDetails(panel, graph, vertex, tensor) {
  panel.replaceChildren();
  if (vertex.kind === 'op') {
    nodeDetails(panel, graph, graph.operators[vertex.index], tensor);
  } else {
    element(panel, 'h3', {}, `${vertex.kind} of the graph`);
    tensorDetails(panel, graph, vertex.index, -1, tensor);
  }
  const chosen = panel.querySelector('.chosen');
  panel.scrollTop = chosen ? chosen.offsetTop - 40 : 0;
}

// ---- the nodes of a graph

// Returns what marks the row of a node, and no row for -1.
function drawNodes(parent, graph) {
  const made = section(parent, `nodes-${graph.index}`, `Nodes (${graph.operators.length})`, 'h3'), short = clocks.length > 1;
  const body = table(made, ['>#', 'operator', 'outputs', 'options', ...EXPLAIN_TITLES, ...timeTitles(short)], 'tall');
  const rows = new Map();
  for (const op of graph.operators) {
    const outputs = op.outputs.map(index => tensorAt(graph, index)).filter(tensor => tensor);
    const line = row(body, [number(op.index), nodeLink(graph.index, op.index, op.op), shape(outputs.map(tensor => `${shapeText(tensor)} ${tensor.type}`).join('\n')),
      {class: 'text', text: optionsText(op.options)}, ...explainCells(graph, op), ...timeCells(mostMs, clock => msOn(clock, graph, op), short)]);
    line.classList.add('choice');
    line.addEventListener('click', event => event.target.closest('a') || goTo(nodeHash(graph.index, op.index)));
    rows.set(op.index, line);
  }
  return index => rows.forEach((line, at) => line.classList.toggle('chosen', at === index));
}

// ---- memory

function drawMemory(parent, graph, memory) {
  const height = 280, steps = Math.max(1, graph.operators.length);
  const most = memory.blocks.reduce((end, block) => Math.max(end, block.offset + block.bytes), memory.arena_lower_bound);
  if (memory.blocks.length === 0 || most === 0) return;
  const made = section(parent, `memory-${graph.index}`, `Memory over time: ${bytesText(memory.arena_bytes)} for tensors that are computed ` +
    `(no plan needs less than ${bytesText(memory.arena_lower_bound)})`, 'h3');
  element(made, 'p', {class: 'sub'}, 'A box is a tensor: its bytes from top to bottom, the nodes that need it from left to right. Shades only tell boxes apart.');
  const chart = element(made, 'div', {class: 'memory'});
  const axis = element(chart, 'div', {class: 'axis'});
  for (const share of [1, 0.75, 0.5, 0.25, 0]) element(axis, 'span', {}, bytesText(Math.round(share * most)));
  const svg = element(chart, 'svg', {width: '100%', height, role: 'img', 'aria-label': 'memory over time'});
  const y = bytes => height * (1 - bytes / most), percent = part => `${(100 * part / steps).toFixed(3)}%`;
  for (const share of [0, 0.25, 0.5, 0.75, 1]) {
    element(svg, 'line', {x1: 0, x2: '100%', y1: y(share * most), y2: y(share * most)});
  }
  for (const block of memory.blocks) {
    const tensor = tensorAt(graph, block.tensor);
    const rect = element(svg, 'rect', {class: `block shade${block.tensor % 3}`, x: percent(block.first), y: y(block.offset + block.bytes),
      width: percent(block.last - block.first + 1), height: Math.max(1, height * block.bytes / most)});
    element(rect, 'title', {}, `${tensor ? tensor.name : 'scratch memory'} (tensor ${block.tensor})\n${bytesText(block.bytes)} at ` +
      `${block.offset}\nsteps ${block.first} to ${block.last}`);
    if (tensor) rect.addEventListener('click', () => goTo(`#tensor-${graph.index}-${block.tensor}`));
  }
  const ends = element(made, 'p', {class: 'sub steps'});
  element(ends, 'span', {}, 'first node');
  element(ends, 'span', {}, `last of ${steps} nodes`);
}

// ---- the page

// The line that stays at the top: links to the sections, and the search.
function drawHeader() {
  const head = element(page, 'header'), nav = element(head, 'nav', {'aria-label': 'sections'});
  drawSearch(head);
  return () => {
    for (const [id, title] of [['advice', 'Advice'], ['places', 'Where it runs'], ['operators', 'Operators'], ['launches', 'Launches'],
      ['subgraph-0', 'Graph'], ['nodes-0', 'Nodes'], ['memory-0', 'Memory']]) {
      if (document.getElementById(id)) element(nav, 'a', {href: `#${id}`}, title);
    }
  };
}

function headCards(nodes) {
  const run = cpuRun, arena = sumOf(run.memory || [], memory => memory.arena_bytes);
  const list = [['file', bytesText(model.bytes)], ['constants', bytesText(model.buffers.bytes)],
    ...(model.subgraphs.length > 1 ? [['subgraphs', model.subgraphs.length]] : []), ['nodes', nodes]];
  if (arena > 0) list.push(['memory of tensors', bytesText(arena)]);
  if (run.median_ms !== undefined && run.median_ms !== null) {
    list.push([`median of ${run.runs} runs on the CPU (${manyText(run.threads, 'thread', 'threads')}, ${run.instruction_set})`, `${msText(run.median_ms)} ms`,
      ...(explained ? ['cpu'] : [])]);
  }
  return [...list, ...gpuCards()];
}

function drawHead() {
  const file = model.file.split('/').pop();
  document.title = file;
  const nodes = sumOf(model.subgraphs, graph => graph.operators.length);
  element(page, 'h1', {}, file);
  element(page, 'p', {class: 'sub'}, [model.description, `schema version ${model.schema_version}`].filter(text => text).join(' · '));
  cards(page, headCards(nodes));
  if (cpuRun.error) element(page, 'p', {class: 'note'}, `Not run on the CPU: ${cpuRun.error}`);
  if (model.gpu && model.gpu.error) element(page, 'p', {class: 'note'}, `Not run on the GPU: ${model.gpu.error}`);
  if (model.subgraphs.length > 1) {
    const nav = element(page, 'nav', {'aria-label': 'subgraphs'});
    for (const graph of model.subgraphs) {
      element(nav, 'a', {href: `#subgraph-${graph.index}`}, `${graph.index} ${graph.name} (${graph.operators.length})`);
    }
  }
  drawAdvice(page);
  explainAll(page);
  const columns = element(page, 'div', {class: 'columns'});
  if (nodes > 0) totals(section(columns, 'operators', 'Operators', 'h3'), model.subgraphs);
  drawLaunches(columns);
  drawNotes(columns);
  drawSignatures(columns);
}

// The texts of the model's authors, and the files that they packed behind it.
function drawNotes(parent) {
  const {notes} = model;
  if (!notes) return;
  const made = section(parent, 'notes', 'Notes of the authors', 'h3');
  for (const key of ['name', 'version', 'author', 'license', 'description']) {
    if (notes[key]) element(made, 'p', {class: 'sub'}, `${key}: ${notes[key]}`);
  }
  const ends = [...(notes.inputs || []).map(end => ['input', end]), ...(notes.outputs || []).map(end => ['output', end])];
  if (ends.length > 0) {
    const body = table(made, ['', 'name', 'content', 'normalization', 'files', 'description']);
    for (const [kind, {name: title, content, normalization, files, description}] of ends) {
      row(body, [kind, name(title || ''), content || '', normalization ? `mean ${normalization.mean}, std ${normalization.std}` : '',
        (files || []).map(file => file.name).join(', '), {class: 'text', text: description || ''}]);
    }
  }
  if (!notes.files || notes.files.length === 0) return;
  const body = table(made, ['file', 'type', '>bytes', 'description']);
  for (const file of notes.files) row(body, [file.name || '', file.type || '', number(file.bytes === null ? 'missing' : file.bytes), {class: 'text', text: file.description || ''}]);
}

function drawSignatures(parent) {
  if (model.signatures.length > 0) {
    const body = table(section(parent, 'signatures', 'Signatures', 'h3'), ['key', '>subgraph', 'inputs', 'outputs']);
    const names = list => list.map(entry => `${entry.name} = ${entry.tensor}`).join(', ');
    for (const s of model.signatures) row(body, [s.key, number(s.subgraph), names(s.inputs), names(s.outputs)]);
  }
  if (model.metadata.length > 0) {
    const body = table(section(parent, 'metadata', 'Metadata', 'h3'), ['name', '>bytes']);
    for (const entry of model.metadata) row(body, [entry.name, number(entry.bytes)]);
  }
}

function drawSubgraph(graph) {
  const made = section(page, `subgraph-${graph.index}`, `Subgraph ${graph.index} ${graph.name}`);
  let markRow = () => {};
  if (graph.operators.length > 0) drawnGraphs.set(graph.index, drawGraph(made, graph, index => markRow(index)));
  markRow = drawNodes(made, graph);
  const memory = (cpuRun.memory || []).find(entry => entry.subgraph === graph.index);
  if (memory) drawMemory(made, graph, memory);
}

function drawModel() {
  const listSections = drawHeader();
  drawHead();
  model.subgraphs.forEach(drawSubgraph);
  listSections();
  followLinks();
}

if (model.bench) drawBench();
else drawModel();
