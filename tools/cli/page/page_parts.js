// SPDX-License-Identifier: Apache-2.0
// The parts that all pages are made of: elements, numbers as texts, cards, tables and bars. Texts of the model become
// text nodes, never markup.

const model = JSON.parse(document.getElementById('model').textContent);
const page = document.getElementById('page');
const SVG = 'http://www.w3.org/2000/svg';
const SVG_NAMES = new Set(['svg', 'g', 'rect', 'path', 'text', 'title', 'line']);

function element(parent, name, attributes = {}, text) {
  const made = SVG_NAMES.has(name) ? document.createElementNS(SVG, name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  if (parent) parent.appendChild(made);
  return made;
}

const bytesText = bytes => bytes === null || bytes === undefined ? 'open' : bytes < 1024 ? `${bytes} B` :
  bytes < 1048576 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 1048576).toFixed(2)} MiB`;
const msText = ms => ms === undefined || ms === null ? '' : ms === 0 ? '0' : ms >= 100 ? ms.toFixed(0) : ms >= 1 ? ms.toFixed(2) : ms.toFixed(4);
const percentText = (part, whole) => part === undefined || !(whole > 0) ? '' : `${(100 * part / whole).toFixed(1)}%`;
const manyText = (count, one, many) => `${count} ${count === 1 ? one : many}`;
const largest = (list, value) => list.reduce((most, item) => Math.max(most, value(item) || 0), 0);
const sumOf = (list, value) => list.reduce((sum, item) => sum + (value(item) || 0), 0);

// ---- cards and sections

function cards(parent, entries) {
  const list = element(parent, 'div', {class: 'cards'});
  for (const [label, value, look] of entries) {
    const card = element(list, 'div', {class: look ? `card ${look}` : 'card'});
    element(card, 'b', {}, value);
    element(card, 'span', {}, label);
  }
}

// Its title is in the list of sections at the top of the page, too.
function section(parent, id, title, level = 'h2') {
  const made = element(parent, 'section', {id});
  element(made, level, {}, title);
  return made;
}

// ---- tables: a cell is a text, an element, or an object with `class`, `text` and the `value` to sort by

const number = (text, value) => ({class: 'number', text, value});
const shape = text => ({class: 'shape', text});
const name = text => ({class: 'name', text});
const bar = (share, title) => ({class: 'barcell', share, title, value: share});

// A title that begins with '>' stands over numbers. A click on a title sorts.
function table(parent, titles, look = '') {
  const made = element(element(parent, 'div', {class: `scroll ${look}`, tabindex: 0}), 'table');
  const head = element(element(made, 'thead'), 'tr'), body = element(made, 'tbody');
  titles.forEach((title, column) => {
    const cell = element(head, 'th', {scope: 'col', ...(title.startsWith('>') ? {class: 'number'} : {})});
    if (!title) return;
    const button = element(cell, 'button', {type: 'button', title: 'sort'}, title.replace('>', ''));
    button.addEventListener('click', () => sortRows(head, body, column));
  });
  return body;
}

function sortRows(head, body, column) {
  const cell = head.children[column], isNumber = cell.classList.contains('number');
  const down = cell.ariaSort ? cell.ariaSort === 'ascending' : isNumber;
  for (const other of head.children) other.ariaSort = other === cell ? (down ? 'descending' : 'ascending') : null;
  const keys = new Map([...body.rows].map(line => {
    const at = line.cells[column];
    return [line, at.sortBy !== undefined ? at.sortBy : isNumber ? parseFloat(at.textContent) || 0 : at.textContent];
  }));
  const order = (a, b) => a < b ? -1 : a > b ? 1 : 0;
  const sorted = [...keys.keys()].sort((a, b) => order(keys.get(a), keys.get(b)) * (down ? -1 : 1));
  body.append(...sorted);
}

function row(body, cells) {
  const made = element(body, 'tr');
  for (const cell of cells) {
    if (cell instanceof Node) {
      element(made, 'td').append(cell);
    } else if (typeof cell === 'object') {
      const at = element(made, 'td', {class: cell.class}, cell.text);
      if (cell.value !== undefined) at.sortBy = cell.value;
      if (cell.share > 0) drawBar(at, cell.share, cell.title);
    } else {
      element(made, 'td', {}, cell);
    }
  }
  return made;
}

function drawBar(parent, share, title) {
  const made = element(parent, 'span', {class: 'bar', style: `width:${(100 * share).toFixed(1)}%`});
  if (title) made.title = title;
}

// ---- links to nodes and tensors; followHash() in page_search.js selects them

const nodeHash = (graph, index) => `#node-${graph}-${index}`;
const nodeLink = (graph, index, text) => element(null, 'a', {href: nodeHash(graph, index)}, text || nodeText(graph, index));
const nodeText = (graph, index) => graph === 0 ? `#${index}` : `#${index} of subgraph ${graph}`;

const SHOWN_LINKS = 12;

// Links to nodes, given as [subgraph, index]; a button shows those beyond the first.
function nodeLinks(nodes, shown = SHOWN_LINKS) {
  const made = element(null, 'span', {class: 'links'});
  const add = list => list.forEach(([graph, index]) => made.append(nodeLink(graph, index), ' '));
  add(nodes.slice(0, shown));
  if (nodes.length <= shown) return made;
  const more = element(made, 'button', {type: 'button', class: 'more'}, `${nodes.length - shown} more`);
  more.addEventListener('click', () => {
    more.remove();
    made.classList.add('all');
    add(nodes.slice(shown));
  });
  return made;
}

// A text in which "#12" and "#12 of subgraph 3" are links, where there are such nodes.
function textWithLinks(parent, text) {
  let end = 0;
  for (const found of text.matchAll(/#(\d+)(?: of subgraph (\d+))?/g)) {
    const graph = Number(found[2] || 0), index = Number(found[1]);
    if (!model.subgraphs || !model.subgraphs[graph] || !model.subgraphs[graph].operators[index]) continue;
    parent.append(text.slice(end, found.index), nodeLink(graph, index, found[0]));
    end = found.index + found[0].length;
  }
  parent.append(text.slice(end));
  return parent;
}

// ---- names in boxes of a picture

const MOST_PRESS = 0.78;  // letters may become this narrow before a name loses its middle

// [text element, width that it may take]: all are measured before the first changes, so that the page is laid out once.
function fitTexts(texts) {
  const lengths = texts.map(([text]) => text.getComputedTextLength());
  texts.forEach(([text, most], i) => {
    if (lengths[i] <= most || lengths[i] === 0) return;
    const whole = [...text.textContent], keep = Math.floor(whole.length * most / lengths[i] / MOST_PRESS) - 1;
    if (keep < whole.length - 2) {
      const tail = Math.floor(keep / 2);
      text.textContent = whole.slice(0, keep - tail).join('') + '…' + whole.slice(whole.length - tail).join('');
    }
    text.setAttribute('textLength', most);
    text.setAttribute('lengthAdjust', 'spacingAndGlyphs');
  });
}

