// SPDX-License-Identifier: Apache-2.0
// Places the nodes of a subgraph in layers from top to bottom: every node below those that it reads.
// An edge over several layers goes through a place of its own in each.

const NODE_WIDTH = 168, NODE_HEIGHT = 46, LAYER_GAP = 36, NODE_GAP = 18, PASS_WIDTH = 10;
const MOST_PASSES = 20000;  // beyond it long edges are drawn straight

// The vertices of a subgraph: its inputs, operators and outputs, with indices of other vertices in
// `from` and `to`. Indices of tensors that point nowhere are left out.
function verticesOf(graph) {
  const vertices = [], producer = new Map();
  const known = t => Number.isInteger(t) && t >= 0 && t < graph.tensors.length;
  const add = (kind, index) => vertices.push({kind, index, from: [], to: [], layer: 0}) - 1;
  const link = (tensor, v) => {
    const u = producer.get(tensor);
    if (u === undefined || u === v || vertices[v].from.includes(u)) return;
    vertices[v].from.push(u);
    vertices[u].to.push(v);
  };
  for (const t of new Set(graph.inputs.filter(known))) producer.set(t, add('input', t));
  for (const op of graph.operators) {
    const v = add('op', op.index);
    for (const t of op.inputs.filter(known)) link(t, v);  // in order of execution: no cycles
    for (const t of op.outputs.filter(known)) producer.set(t, v);
  }
  for (const t of graph.outputs.filter(known)) link(t, add('output', t));
  return vertices;
}

function setLayers(vertices) {
  vertices.forEach(v => { v.layer = v.from.reduce((least, u) => Math.max(least, vertices[u].layer + 1), 0); });
  // A vertex without predecessors stands right above its first reader.
  for (const v of vertices) {
    if (v.from.length === 0 && v.to.length > 0) {
      v.layer = Math.max(0, Math.min(...v.to.map(w => vertices[w].layer)) - 1);
    }
  }
}

// Adds the places that long edges go through, one chain per source, and returns the edges as lists
// of vertices from source to target.
function addPasses(vertices) {
  const edges = [];
  let passes = 0;
  const count = vertices.length;
  for (let u = 0; u < count; ++u) {
    const chain = [];  // by layer below u
    for (const w of vertices[u].to) {
      const span = vertices[w].layer - vertices[u].layer;
      const path = [u];
      for (let step = 1; step < span && passes < MOST_PASSES; ++step) {
        if (chain[step] === undefined) {
          chain[step] = vertices.push({kind: 'pass', index: -1, from: [], to: [], layer: vertices[u].layer + step}) - 1;
          ++passes;
        }
        path.push(chain[step]);
      }
      path.push(w);
      edges.push(path);
    }
  }
  for (const v of vertices) { v.above = []; v.below = []; }
  for (const path of edges) {
    for (let i = 1; i < path.length; ++i) {
      if (vertices[path[i]].above.includes(path[i - 1])) continue;
      vertices[path[i]].above.push(path[i - 1]);
      vertices[path[i - 1]].below.push(path[i]);
    }
  }
  return edges;
}

const mean = (list, value) => list.reduce((sum, item) => sum + value(item), 0) / list.length;

// Sorts every layer by where its neighbours stand, downwards and upwards in turn.
function orderLayers(vertices, layers) {
  const renumber = layer => layer.forEach((v, i) => { vertices[v].rank = i; });
  layers.forEach(renumber);
  for (let sweep = 0; sweep < 8; ++sweep) {
    const down = sweep % 2 === 0;
    for (const layer of down ? layers : [...layers].reverse()) {
      const side = down ? 'above' : 'below';
      const wish = new Map(layer.map(v => [v, vertices[v][side].length > 0 ?
        mean(vertices[v][side], u => vertices[u].rank) : vertices[v].rank]));
      layer.sort((a, b) => wish.get(a) - wish.get(b) || vertices[a].rank - vertices[b].rank);
      renumber(layer);
    }
  }
}

const widthOf = v => v.kind === 'pass' ? PASS_WIDTH : NODE_WIDTH;

// Moves the vertices of a layer as near to their wishes as their order and widths allow: the weighted
// sum of squares becomes least by joining neighbours that press on each other.
function placeLayer(vertices, layer, wishes) {
  const blocks = [];
  let offset = 0;
  layer.forEach((v, i) => {
    if (i > 0) offset += (widthOf(vertices[layer[i - 1]]) + widthOf(vertices[v])) / 2 + NODE_GAP;
    const weight = vertices[v].weight ** 2;
    let block = {sum: (wishes[i] - offset) * weight, weight, items: [[v, offset]]};
    while (blocks.length > 0 && blocks[blocks.length - 1].sum / blocks[blocks.length - 1].weight > block.sum / block.weight) {
      const before = blocks.pop();
      block = {sum: before.sum + block.sum, weight: before.weight + block.weight, items: before.items.concat(block.items)};
    }
    blocks.push(block);
  });
  for (const block of blocks) {
    for (const [v, shift] of block.items) vertices[v].x = block.sum / block.weight + shift;
  }
}

// Cuts the graph into chains from top to bottom, the longest first: what is to stand in one line. A
// vertex gets `before` and `after` in its chain, and the length of the chain as its weight.
function setChains(vertices) {
  const byLayer = vertices.map((_, i) => i).sort((a, b) => vertices[b].layer - vertices[a].layer);
  for (const v of byLayer) {
    vertices[v].reach = 1 + vertices[v].below.reduce((most, w) => Math.max(most, vertices[w].reach), 0);
  }
  const isNode = v => vertices[v].kind === 'pass' ? 0 : 1;
  const byReach = byLayer.sort((a, b) => vertices[b].reach - vertices[a].reach || isNode(b) - isNode(a) || a - b);
  for (const head of byReach) {
    if (vertices[head].weight !== undefined) continue;
    const chain = [head];
    for (let v = head; v !== undefined;) {
      vertices[v].weight = 0;
      v = vertices[v].below.filter(w => vertices[w].weight === undefined)
        .sort((a, b) => vertices[b].reach - vertices[a].reach || isNode(b) - isNode(a))[0];
      if (v !== undefined) chain.push(v);
    }
    chain.forEach((v, i) => { Object.assign(vertices[v], {weight: chain.length, before: chain[i - 1], after: chain[i + 1]}); });
  }
}

function placeLayers(vertices, layers) {
  setChains(vertices);
  for (const layer of layers) {
    const heaviest = layer.reduce((best, v) => vertices[v].weight > vertices[best].weight ? v : best, layer[0]);
    const shift = layer.indexOf(heaviest) * (NODE_WIDTH + NODE_GAP);
    placeLayer(vertices, layer, layer.map((_, i) => i * (NODE_WIDTH + NODE_GAP) - shift));
  }
  for (let sweep = 0; sweep < 16; ++sweep) {
    const down = sweep % 2 === 0, next = down ? 'before' : 'after', side = down ? 'above' : 'below';
    const wish = v => vertices[v][next] !== undefined ? vertices[vertices[v][next]].x :
      vertices[v][side].length > 0 ? mean(vertices[v][side], u => vertices[u].x) : vertices[v].x;
    for (const layer of down ? layers : [...layers].reverse()) placeLayer(vertices, layer, layer.map(wish));
  }
}

// {vertices, edges, width, height}: a vertex has kind, index, x and y of its centre; an edge is a
// list of vertices, passes between source and target.
function layoutGraph(graph) {
  const vertices = verticesOf(graph);
  setLayers(vertices);
  const edges = addPasses(vertices);
  const layers = [];
  vertices.forEach((v, i) => { (layers[v.layer] = layers[v.layer] || []).push(i); });
  for (let i = 0; i < layers.length; ++i) layers[i] = layers[i] || [];
  orderLayers(vertices, layers);
  placeLayers(vertices, layers);
  let left = Infinity, right = -Infinity;
  for (const v of vertices) {
    left = Math.min(left, v.x - widthOf(v) / 2);
    right = Math.max(right, v.x + widthOf(v) / 2);
  }
  const margin = 20;
  for (const v of vertices) {
    v.x += margin - left;
    v.y = margin + NODE_HEIGHT / 2 + v.layer * (NODE_HEIGHT + LAYER_GAP);
  }
  const height = 2 * margin + layers.length * (NODE_HEIGHT + LAYER_GAP) - LAYER_GAP;
  return {vertices, edges, width: vertices.length > 0 ? right - left + 2 * margin : 0, height: Math.max(height, 0)};
}

