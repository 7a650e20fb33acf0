// SPDX-License-Identifier: Apache-2.0
// The search for nodes and tensors, and the links that select them: #node-SUBGRAPH-INDEX and #tensor-SUBGRAPH-INDEX.

const MOST_FOUND = 60;
const drawnGraphs = new Map();  // by the index of a subgraph: what drawGraph() returns

function followHash() {
  const found = /^#(node|tensor)-(\d+)-(\d+)$/.exec(location.hash);
  const drawn = found && drawnGraphs.get(Number(found[2]));
  if (drawn) drawn[found[1] === 'node' ? 'chooseNode' : 'chooseTensor'](Number(found[3]));
}

function goTo(hash) {
  if (location.hash === hash) followHash();
  else location.hash = hash;
}

// A link to where the page already is selects again.
function followLinks() {
  addEventListener('hashchange', followHash);
  document.addEventListener('click', event => {
    const link = event.target.closest('a[href^="#"]');
    if (link && link.hash === location.hash) followHash();
  });
  followHash();
}

// ---- the entries: every node and every tensor

function searchEntries() {
  const entries = [];
  for (const graph of model.subgraphs) {
    const place = model.subgraphs.length > 1 ? ` · subgraph ${graph.index} ${graph.name}` : '';
    for (const op of graph.operators) {
      const output = graph.tensors[op.outputs[0]];
      entries.push({hash: nodeHash(graph.index, op.index), number: `#${op.index}`, name: op.op,
        about: (output ? `${shapeText(output)} ${output.type}` : '') + place});
    }
    for (const tensor of graph.tensors) {
      entries.push({hash: `#tensor-${graph.index}-${tensor.index}`, number: '', name: tensor.name || `tensor ${tensor.index}`,
        about: `tensor ${tensor.index} · ${shapeText(tensor)} ${tensor.type}${place}`});
    }
  }
  for (const entry of entries) entry.text = `${entry.name} ${entry.number}`.toLowerCase();
  return entries;
}

// How well an entry answers, the best is 0; -1 where a word is missing. "#3" is a whole number: it finds no #31 before #3.
function rankOf(entry, words) {
  if (words.some(word => !entry.text.includes(word))) return -1;
  const word = words[0], named = entry.name.toLowerCase();
  if (entry.number === word || named === words.join(' ')) return 0;
  return (named.startsWith(word) || entry.number.startsWith(word) ? 1 : 2) + (entry.number ? 0 : 0.5);
}

function findEntries(entries, query) {
  const words = query.toLowerCase().split(/\s+/).filter(word => word);
  if (words.length === 0) return [];
  return entries.map(entry => [rankOf(entry, words), entry]).filter(([rank]) => rank >= 0)
    .sort((a, b) => a[0] - b[0]).map(([, entry]) => entry);
}

// ---- the box

function drawSearch(parent) {
  const box = element(parent, 'div', {class: 'search', role: 'search'});
  const input = element(box, 'input', {type: 'search', id: 'search', placeholder: 'Search: operator, #12, tensor   ( / )', role: 'combobox',
    'aria-label': 'Search for a node or a tensor', 'aria-controls': 'found', 'aria-expanded': 'false', autocomplete: 'off', spellcheck: 'false'});
  const list = element(box, 'div', {id: 'found', class: 'found', role: 'listbox', hidden: ''});
  let entries, shown = [], marked = 0;
  const close = () => {
    list.hidden = true;
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
  };
  const choose = entry => {
    close();
    input.blur();
    goTo(entry.hash);
  };
  const mark = at => {
    marked = Math.max(0, Math.min(shown.length - 1, at));
    shown.forEach(({line}, i) => line.setAttribute('aria-selected', i === marked));
    if (shown.length === 0) return;
    input.setAttribute('aria-activedescendant', shown[marked].line.id);
    shown[marked].line.scrollIntoView({block: 'nearest'});
  };
  const update = () => {
    entries = entries || searchEntries();
    const found = findEntries(entries, input.value);
    list.replaceChildren();
    shown = found.slice(0, MOST_FOUND).map((entry, i) => ({entry, line: drawFound(list, entry, i)}));
    for (const {entry, line} of shown) line.addEventListener('click', () => choose(entry));
    if (found.length > shown.length) element(list, 'p', {class: 'soft'}, `and ${found.length - shown.length} more`);
    if (found.length === 0) element(list, 'p', {class: 'soft'}, 'Nothing has this name.');
    list.hidden = input.value.trim() === '';
    input.setAttribute('aria-expanded', String(!list.hidden));
    mark(0);
  };
  const keys = {ArrowDown: () => mark(marked + 1), ArrowUp: () => mark(marked - 1), Escape: close,
    Enter: () => shown.length > 0 && !list.hidden && choose(shown[marked].entry)};
  input.addEventListener('input', update);
  input.addEventListener('focus', () => input.value && update());
  input.addEventListener('keydown', event => {
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });
  document.addEventListener('pointerdown', event => box.contains(event.target) || close());
  document.addEventListener('keydown', event => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.target.closest('input, textarea')) return;
    event.preventDefault();
    input.focus();
    input.select();
  });
}

function drawFound(list, entry, index) {
  const line = element(list, 'div', {class: 'line', role: 'option', id: `found-${index}`});
  element(line, 'b', {}, entry.number ? `${entry.name} ${entry.number}` : entry.name);
  element(line, 'span', {class: 'soft'}, ` ${entry.about}`);
  return line;
}

