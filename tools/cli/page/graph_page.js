// SPDX-License-Identifier: Apache-2.0
// The picture of a graph: nodes, edges, a map of the whole beside it, and the buttons that change its size.

const LEAST_ZOOM = 0.015, MOST_ZOOM = 4;
const READABLE_ZOOM = 0.3;  // below it names are not drawn
const MAP_SCALE = 0.25;     // the most of the map to the picture
const NAME_MARGIN = 12;

// ---- nodes and edges

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

// `texts` collects the names that are to fit into the box.
function drawNode(svg, graph, vertex, texts) {
  const isOp = vertex.kind === 'op', x = vertex.x - NODE_WIDTH / 2, y = vertex.y - NODE_HEIGHT / 2;
  const op = isOp ? graph.operators[vertex.index] : null;
  const group = element(svg, 'g', {class: `node ${isOp ? placeOf(graph, op) : 'end'}`});
  const tensor = tensorAt(graph, isOp ? op.outputs[0] : vertex.index);
  element(group, 'rect', {class: 'box', x, y, width: NODE_WIDTH, height: NODE_HEIGHT, rx: isOp ? 6 : 22});
  const title = isOp ? op.op : `${vertex.kind}: ${tensor.name}`;
  const second = tensor ? `${shapeText(tensor)} ${tensor.type}` : '';
  for (const [kind, at, text] of [['name', 18, title], ['shape', 33, second]]) {
    texts.push([element(group, 'text', {class: kind, x: vertex.x, y: y + at, 'text-anchor': 'middle'}, text), NODE_WIDTH - (isOp ? 1 : 2) * NAME_MARGIN]);
  }
  const ms = isOp ? shownMs(graph, op) : undefined;
  if (ms > 0) {
    const width = Math.max(1, (NODE_WIDTH - 12) * ms / mostShownMs);
    element(group, 'rect', {class: 'time', x: x + 6, y: y + NODE_HEIGHT - 8, width, height: 4, rx: 1.5});
  }
  const lines = isOp ? [`${op.op} #${op.index}`, second, optionsText(op.options), ...timeTexts(graph, op), ...whyTexts(graph, op)] : [title, second];
  if (tensor) lines.push(quantizationText(tensor.quantization), bytesText(tensor.bytes));
  element(group, 'title', {}, lines.filter(line => line).join('\n'));
  return group;
}

// ---- the size of the picture, and the part of it that is seen

// `zoom(factor, x, y)` keeps the point of the picture that is at x, y of the box where it is.
function viewOf(scroll, svg, {width, height}) {
  const view = {factor: 1};
  const left = () => Math.max(0, (scroll.clientWidth - width * view.factor) / 2);  // a narrow picture is centred
  view.zoom = (factor, x = scroll.clientWidth / 2, y = scroll.clientHeight / 2) => {
    const at = [(scroll.scrollLeft + x - left()) / view.factor, (scroll.scrollTop + y) / view.factor];
    view.factor = Math.max(LEAST_ZOOM, Math.min(MOST_ZOOM, factor));
    svg.setAttribute('width', width * view.factor);
    svg.setAttribute('height', height * view.factor);
    svg.classList.toggle('far', view.factor < READABLE_ZOOM);
    scroll.scrollTo(at[0] * view.factor + left() - x, at[1] * view.factor - y);
  };
  view.center = (x, y) => scroll.scrollTo(x * view.factor + left() - scroll.clientWidth / 2, y * view.factor - scroll.clientHeight / 2);
  view.seen = () => ({x: (scroll.scrollLeft - left()) / view.factor, y: scroll.scrollTop / view.factor,
    width: scroll.clientWidth / view.factor, height: scroll.clientHeight / view.factor});
  view.widthFactor = () => (scroll.clientWidth - 4) / width;
  view.fitFactor = () => Math.min(1, view.widthFactor(), (scroll.clientHeight - 4) / height);
  return view;
}

// Where names can be read, the buttons show the selected node.
function drawZoom(parent, view, showChosen) {
  for (const [label, title, factor] of [['−', 'smaller', () => view.factor / 1.25], ['+', 'larger', () => view.factor * 1.25],
    ['fit', 'the whole graph', view.fitFactor], ['width', 'the whole width', () => Math.min(1.5, view.widthFactor())],
    ['1:1', 'names in the size of the page', () => 1]]) {
    element(parent, 'button', {type: 'button', title}, label).addEventListener('click', () => {
      view.zoom(factor());
      if (label === 'width' || label === '1:1') showChosen();
    });
  }
}

// The mouse drags the picture, and its wheel with Ctrl changes the size. A drag selects no node.
function followMouse(scroll, view) {
  let from = null;
  scroll.addEventListener('wheel', event => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    const box = scroll.getBoundingClientRect();
    view.zoom(view.factor * Math.exp(-event.deltaY / 300), event.clientX - box.left, event.clientY - box.top);
  }, {passive: false});
  scroll.addEventListener('pointerdown', event => {
    const box = scroll.getBoundingClientRect();
    const onBars = event.clientX - box.left > scroll.clientWidth || event.clientY - box.top > scroll.clientHeight;
    from = event.pointerType === 'mouse' && event.button === 0 && !onBars ?
      {x: event.clientX, y: event.clientY, left: scroll.scrollLeft, top: scroll.scrollTop} : null;
  });
  scroll.addEventListener('pointermove', event => {
    if (!from || event.buttons === 0) return;
    const dx = event.clientX - from.x, dy = event.clientY - from.y;
    if (Math.hypot(dx, dy) < 4) return;
    scroll.setPointerCapture(event.pointerId);
    scroll.classList.add('dragged');
    scroll.scrollTo(from.left - dx, from.top - dy);
  });
  for (const kind of ['pointerup', 'pointercancel']) {
    scroll.addEventListener(kind, () => {
      from = null;
      scroll.classList.remove('dragged');
    });
  }
}

// ---- the map

// A small picture of all nodes and of the part that is seen; a click or a drag in it moves that part. A long graph is
// pressed together more than a wide one.
function drawMap(map, scroll, view, graph, {vertices, width, height}, lines) {
  const svg = element(map, 'svg', {viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: 'none', 'aria-hidden': 'true'});
  const seen = element(map, 'div', {class: 'seen'}), dots = new Map();
  for (const {line} of lines) {
    if (line.classList.contains('cut')) element(svg, 'path', {class: 'edge cut', d: line.getAttribute('d')});
  }
  vertices.forEach((vertex, v) => {
    if (vertex.kind === 'pass') return;
    const op = vertex.kind === 'op' ? graph.operators[vertex.index] : null;
    const place = op ? placeOf(graph, op) : 'end', ms = op ? shownMs(graph, op) : 0;
    const dot = element(svg, 'rect', {class: `dot ${place || 'plain'}`, x: vertex.x - NODE_WIDTH / 2, y: vertex.y - NODE_HEIGHT / 2 - 8,
      width: NODE_WIDTH, height: NODE_HEIGHT + 16});
    if (op && !place && ms > 0) dot.style.fillOpacity = 0.4 + 0.6 * ms / mostShownMs;
    dots.set(v, dot);
  });
  const scale = {};
  const show = () => {
    const {x, y, width: w, height: h} = view.seen();
    const left = Math.max(0, x), top = Math.max(0, y);
    seen.style.transform = `translate(${left * scale.x}px, ${top * scale.y}px)`;
    seen.style.width = `${Math.min(width - left, x + w - left) * scale.x}px`;
    seen.style.height = `${Math.max(3, Math.min(height - top, h) * scale.y)}px`;
  };
  const resize = () => {
    scale.x = Math.min(MAP_SCALE, map.clientWidth / width);
    scale.y = Math.min(MAP_SCALE, scroll.clientHeight / height);
    svg.setAttribute('width', width * scale.x);
    svg.setAttribute('height', height * scale.y);
    show();
  };
  const move = event => {
    if (event.type === 'pointermove' && event.buttons === 0) return;
    event.preventDefault();
    if (event.type === 'pointerdown') map.setPointerCapture(event.pointerId);
    const box = map.getBoundingClientRect();
    view.center((event.clientX - box.left) / scale.x, (event.clientY - box.top) / scale.y);
  };
  map.addEventListener('pointerdown', move);
  map.addEventListener('pointermove', move);
  scroll.addEventListener('scroll', show);
  new ResizeObserver(resize).observe(scroll);
  resize();
  return {dots, show};
}

// ---- the key to the colours

function drawKey(parent) {
  const key = element(parent, 'span', {class: 'keys'});
  const places = explained ? [['gpu', 'on the GPU'], ['folded', 'folded'], ['cpu', 'on the CPU'], ['cut', 'crosses inside'], ['across', 'crosses at an end']] : [];
  const time = clocks.length > 0 ? [['time', clocks.length > 1 ? 'time where it runs' : `time on the ${clocks[0].title}`]] : [];
  for (const [look, text] of [...places, ...time, ['end', 'input or output'], ['chosen', 'selected']]) {
    const item = element(key, 'span', {class: 'key'});
    element(item, 'i', {class: look});
    item.append(text);
  }
}

// ---- all of it

const HINT = 'Select a node: click it, or search for it with “/”. Ctrl and the wheel change the size; a drag moves. Constants are not drawn.';

// Returns what selects a node or a tensor: chooseNode(index), chooseTensor(index). `lineOf` tells the row of a node.
function drawGraph(parent, graph, lineOf) {
  const tools = element(parent, 'div', {class: 'tools'});
  const box = element(parent, 'div', {class: 'graph'});
  const mapBox = element(box, 'div', {class: 'map', title: 'The whole graph. Click or drag to move.'});
  const scroll = element(box, 'div', {class: 'canvas', tabindex: 0});
  const panel = element(box, 'div', {class: 'details', 'aria-live': 'polite'});
  element(panel, 'p', {class: 'soft'}, HINT);
  const layout = layoutGraph(graph), {vertices, edges, width, height} = layout;
  const svg = element(scroll, 'svg', {viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': `graph of ${graph.operators.length} nodes`});
  const lines = edges.map(edge => ({line: element(svg, 'path', {class: 'edge', d: edgePath(vertices, edge)}), ends: [edge[0], edge[edge.length - 1]]}));
  markCrossings(svg, graph, vertices, lines);
  const groups = new Map(), texts = [], view = viewOf(scroll, svg, layout);
  const map = drawMap(mapBox, scroll, view, graph, layout, lines);
  let chosen;
  const choose = (v, tensor) => {
    chosen = vertices[v];
    for (const [other, group] of groups) {
      group.classList.toggle('chosen', other === v);
      map.dots.get(other).classList.toggle('chosen', other === v);
    }
    map.dots.get(v).parentNode.append(map.dots.get(v));  // above the others
    for (const {line, ends} of lines) line.classList.toggle('on', ends.includes(v));
    lineOf(vertices[v].kind === 'op' ? vertices[v].index : -1);
    showDetails(panel, graph, vertices[v], tensor);
  };
  vertices.forEach((vertex, v) => {
    if (vertex.kind === 'pass') return;
    const group = drawNode(svg, graph, vertex, texts);
    group.addEventListener('click', () => choose(v));
    groups.set(v, group);
  });
  fitTexts(texts);
  drawZoom(tools, view, () => chosen && view.center(chosen.x, chosen.y));
  drawKey(tools);
  followMouse(scroll, view);
  view.zoom(1);
  const first = vertices.find(vertex => vertex.layer === 0);
  if (first) view.center(first.x, 0);
  map.show();
  const goTo = (v, tensor) => {
    if (v === undefined) return;
    if (view.factor < READABLE_ZOOM) view.zoom(1);
    choose(v, tensor);
    view.center(vertices[v].x, vertices[v].y);
    parent.scrollIntoView({block: 'start'});
  };
  const vertexOf = (kind, index) => {
    const found = vertices.findIndex(vertex => vertex.kind === kind && vertex.index === index);
    return found < 0 ? undefined : found;
  };
  const operatorWith = (list, tensor) => {
    const op = graph.operators.find(one => one[list].includes(tensor));
    return op && vertexOf('op', op.index);
  };
  // A tensor is shown with the node that makes it, a constant with the first that reads it.
  const placeOfTensor = tensor => [operatorWith('outputs', tensor), vertexOf('input', tensor), operatorWith('inputs', tensor),
    operatorWith('intermediates', tensor), vertexOf('output', tensor)].find(v => v !== undefined);
  return {chooseNode: index => goTo(vertexOf('op', index)), chooseTensor: index => goTo(placeOfTensor(index), index)};
}

