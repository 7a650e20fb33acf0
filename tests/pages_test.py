#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The pages of `tern inspect --html` and `tern explain --html` in a headless Chromium.   pages_test.py TERN

It speaks the WebDriver protocol to chromedriver itself (on Debian: chromium, chromium-driver).
Exit status 77: there is no browser or no driver, or it does not start."""
import contextlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[1]
TERN = sys.argv[1]
MODEL = 'demo/landscape.tflite'
ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'  # the key of an element in the protocol
OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # no proxy to the driver
ENTER, DOWN, ESCAPE = '\ue007', '\ue015', '\ue00c'
LONG_NAME = 'A_CUSTOM_OPERATION_WITH_A_NAME_THAT_NO_BOX_CAN_HOLD_EVEN_IN_NARROW_LETTERS'
MARKUP = '<img src=x onerror="document.title=1"></script><script>document.title=2</script>'
# Details of the selection, the number of its row, and whether its box can be seen in the picture.
SELECTION = '''
const box = document.querySelector('.canvas .node.chosen'), canvas = document.querySelector('.canvas').getBoundingClientRect();
const at = box && box.getBoundingClientRect(), line = document.querySelector('tr.chosen td');
return {title: (document.querySelector('.details h3') || {}).textContent, row: line && line.textContent, tensor:
  (document.querySelector('.details .tensor.chosen p') || {}).textContent, seen: Boolean(at) && at.left >= canvas.left - 1 &&
  at.right <= canvas.right + 1 && at.top >= canvas.top - 1 && at.bottom <= canvas.bottom + 1 && canvas.top >= 0};'''


class Browser:
    def __init__(self, port, binary):
        self.url = f'http://127.0.0.1:{port}/session'
        flags = ['--headless=new', '--disable-gpu', '--window-size=1400,1000'] + (['--no-sandbox'] if os.geteuid() == 0 else [])
        asked = {'browserName': 'chrome', 'goog:loggingPrefs': {'browser': 'ALL'}, 'goog:chromeOptions': {'binary': binary, 'args': flags}}
        self.url += '/' + self.call('', {'capabilities': {'alwaysMatch': asked}})['sessionId']

    def call(self, path, body=None, method='POST'):
        data = json.dumps(body or {}).encode() if method == 'POST' else None
        request = urllib.request.Request(self.url + path, data, {'Content-Type': 'application/json'}, method=method)
        try:
            with OPENER.open(request, timeout=60) as answer:
                return json.load(answer)['value']
        except urllib.error.HTTPError as error:
            raise AssertionError(f'{path} {body}: {error.read().decode()[:600]}') from error

    def open(self, page):
        self.call('/url', {'url': 'about:blank'})  # a page differs from the next in its part after # alone
        self.call('/url', {'url': page.as_uri()})
        assert self.js("return performance.getEntriesByType('resource').length") == 0, 'the page fetches something'

    def js(self, script):
        return self.call('/execute/sync', {'script': script, 'args': []})

    def find(self, selector):
        return self.call('/element', {'using': 'css selector', 'value': selector})[ELEMENT]

    def click(self, selector):
        self.js(f"document.querySelector({json.dumps(selector)}).scrollIntoView({{block: 'center'}})")  # not below the line at the top
        self.call(f'/element/{self.find(selector)}/click')

    def keys(self, selector, text):
        self.call(f'/element/{self.find(selector)}/value', {'text': text})

    def devtools(self, command, **params):
        self.call('/goog/cdp/execute', {'cmd': command, 'params': params})

    def check_console(self):
        reported = self.call('/se/log', {'type': 'browser'})
        assert not reported, reported

    def check_selected(self, title, row):
        """A link changes the address first, and the selection follows it: late where other work takes the processor."""
        end = time.monotonic() + 20
        while True:
            reported = self.js(SELECTION)
            if (reported.get('title'), reported.get('row')) == (title, row) and reported['seen']:
                return reported
            assert time.monotonic() < end, (title, row, reported)
            time.sleep(0.05)


@contextlib.contextmanager
def browser():
    binary = shutil.which('chromium') or shutil.which('chromium-browser') or shutil.which('google-chrome')
    driver = shutil.which('chromedriver')
    if not binary or not driver:
        print(f'skipped: no {"driver of Chromium (chromedriver)" if binary else "Chromium"} here')
        sys.exit(77)
    with subprocess.Popen([driver, '--port=0'], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            port = next(found[1] for line in process.stdout if (found := re.search(r'successfully on port (\d+)', line)))
            try:
                made = Browser(port, binary)
            except AssertionError as error:  # a container that permits no sandbox, say
                print(f'skipped: Chromium does not start: {error}'.splitlines()[0])
                sys.exit(77)
            try:
                yield made
            finally:
                made.call('', method='DELETE')
        finally:
            process.terminate()


def tern(*args):
    run = subprocess.run([TERN, *map(str, args)], capture_output=True, text=True, cwd=ROOT, check=False)
    assert run.returncode == 0, (args, run)


DATA = re.compile(r'(id="model">)(.*?)(</script>)', re.DOTALL)


def description_of(page):
    return json.loads(DATA.search(page.read_text())[2])


def page_with(page, name, description):
    """A page beside `page` with another description."""
    data = json.dumps(description).replace('<', '\\u003c').replace('>', '\\u003e')
    made = page.with_name(name)
    made.write_text(DATA.sub(lambda found: found[1] + data + found[3], page.read_text()))
    return made


def check_search(chrome, tensor):
    chrome.keys('body', '/')
    assert chrome.js('return document.activeElement.id') == 'search', '/ does not lead to the search'
    chrome.keys('#search', 'softmax' + ENTER)
    chrome.check_selected('SOFTMAX #7', '7')
    for text, title, row in (('#3', 'AVERAGE_POOL_2D #3', '3'), ('conv_2d' + DOWN + DOWN, 'CONV_2D #4', '4'), ('conv_2d #8', 'CONV_2D #8', '8')):
        chrome.js("document.getElementById('search').value = ''")
        chrome.keys('#search', text + ENTER)
        chrome.check_selected(title, row)
    chrome.js("document.getElementById('search').value = ''")
    chrome.keys('#search', tensor['name'] + ENTER)
    reported = chrome.check_selected('AVERAGE_POOL_2D #3', '3')
    assert reported['tensor'] == f'{tensor["index"]}: {tensor["name"]}', reported
    chrome.js("document.getElementById('search').value = ''")
    chrome.keys('#search', 'nothing of this name')
    assert 'Nothing' in chrome.js("return document.getElementById('found').textContent")
    chrome.keys('#search', ESCAPE)
    assert chrome.js("return document.getElementById('found').hidden")


def check_view(chrome):
    """The buttons, the map, and a selection from a size at which no name can be read."""
    where = "const box = document.querySelector('.canvas'); return [box.scrollLeft, box.scrollTop]"
    button = "[...document.querySelectorAll('.tools button')].find(one => one.textContent === '{}').click()"
    for _ in range(3):
        chrome.js(button.format('+'))
    before = chrome.js(where)
    seen = "return document.querySelector('.seen').style.transform"
    mark = chrome.js(seen)
    at = chrome.js("const {left, top} = document.querySelector('.map').getBoundingClientRect(); return [left, top].map(Math.round)")
    steps = [{'type': 'pointerMove', 'x': at[0] + 20, 'y': at[1] + 10}, {'type': 'pointerDown', 'button': 0},
             {'type': 'pointerMove', 'x': at[0] + 60, 'y': at[1] + 200}, {'type': 'pointerUp', 'button': 0}]
    chrome.call('/actions', {'actions': [{'type': 'pointer', 'id': 'mouse', 'actions': steps}]})
    after = chrome.js(where)
    assert after[1] > before[1], (before, after)
    assert chrome.js("return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))" + '.then(() => {' + seen + '})') != mark
    chrome.js(button.format('fit'))
    fits = "const box = document.querySelector('.canvas'); return box.scrollHeight <= box.clientHeight + 1 && box.scrollWidth <= box.clientWidth + 1"
    assert chrome.js(fits), 'fit does not show the whole graph'
    chrome.js(button.format('1:1'))


def check_names_fit(chrome):
    wide = chrome.js('''return [...document.querySelectorAll('.canvas .node')].filter(node => [...node.querySelectorAll('text')].some(text =>
      text.getBBox().width > node.querySelector('.box').getBBox().width - 4)).map(node => node.textContent)''')
    assert not wide, wide


def check_themes_and_widths(chrome):
    colours = []
    for theme in ('light', 'dark'):
        chrome.devtools('Emulation.setEmulatedMedia', features=[{'name': 'prefers-color-scheme', 'value': theme}])
        colours.append(chrome.js('return ["body", ".canvas .node .box"].map(one => {'
                                 'const style = getComputedStyle(document.querySelector(one)); return style.backgroundColor + style.fill + style.color})'))
    assert colours[0][0] != colours[1][0] and colours[0][1] != colours[1][1], colours
    for width in (400, 700, 1400):
        chrome.devtools('Emulation.setDeviceMetricsOverride', width=width, height=800, deviceScaleFactor=1, mobile=False)
        taken = chrome.js('return document.documentElement.scrollWidth')
        assert taken <= width, f'{taken} px at {width}'
    chrome.devtools('Emulation.clearDeviceMetricsOverride')


def check_inspect(chrome, page):
    tensors = description_of(page)['subgraphs'][0]
    chrome.open(page)
    check_search(chrome, tensors['tensors'][tensors['operators'][3]['outputs'][0]])
    check_view(chrome)
    chrome.click('tr.choice:nth-child(2) td.number')
    chrome.check_selected('DEPTHWISE_CONV_2D #1', '1')
    chrome.click('tr.choice:nth-child(7) a')
    chrome.check_selected('ADD #6', '6')
    first = tensors['operators'][6]['inputs'][0]
    writer = next(node for node in tensors['operators'] if first in node['outputs'])
    chrome.click('.details .tensor a')
    chrome.check_selected(f'{writer["op"]} #{writer["index"]}', str(writer['index']))
    # By its share of time, and back.
    chrome.js("[...document.querySelectorAll('#nodes-0 th button')].find(one => one.textContent === 'CPU ms').click()")
    times = chrome.js("return [...document.querySelectorAll('#nodes-0 tr.choice')].map(line => parseFloat(line.cells[4].textContent))")
    assert times == sorted(times, reverse=True) and len(times) == 10, times
    check_names_fit(chrome)
    check_themes_and_widths(chrome)
    chrome.check_console()


def check_explain(chrome, page):
    """Links of reasons, for folded nodes and for one that is put on the CPU here."""
    description = description_of(page)
    description['explain']['decisions'][3] |= {'decision': 'cpu', 'code': 'no-gpu-form', 'reason': 'this operation has no GPU form', 'suggestion': 'none'}
    description['explain']['crossings'].append({'subgraph': 0, 'tensor': description['subgraphs'][0]['operators'][3]['outputs'][0], 'name': 't',
                                                'bytes': 14400, 'to': 'gpu', 'cut': True, 'writer': 3, 'readers': [4]})
    operators = description['subgraphs'][0]['operators']
    operators[0]['op'], operators[1]['op'], operators[2]['op'] = LONG_NAME, 'NON_MAX_SUPPRESSION_V4', MARKUP
    for tensor in description['subgraphs'][0]['tensors']:
        tensor['name'] += MARKUP
    chrome.open(page_with(page, 'cpu.html', description))
    chrome.click('#places tbody a[href="#node-0-3"]')
    reported = chrome.check_selected('AVERAGE_POOL_2D #3', '3')
    chrome.click('#places summary')
    chrome.click('#places details a[href="#node-0-6"]')
    chrome.check_selected('ADD #6', '6')
    counts = chrome.js("return ['.canvas .node.cpu', '.canvas .edge.cut', '.map .dot.cpu', '.canvas .node.folded', 'img'].map("
                       'one => document.querySelectorAll(one).length)')
    assert counts == [1, 1, 1, 1, 0], (counts, reported)
    cards = chrome.js("return document.querySelector('#places').innerText")
    for part in ('1\npart on the GPU', '14.1 KiB\ncross inside the model per run, in 1 tensor', 'cross at inputs and outputs per run'):
        assert part in cards, (part, cards)
    assert chrome.js("return getComputedStyle(document.querySelector('td > .links')).whiteSpace") == 'normal', 'links are cut'
    assert chrome.js('return document.title') == 'landscape.tflite'
    check_names_fit(chrome)
    assert LONG_NAME in chrome.js("return document.querySelector('.canvas .node title').parentNode.parentNode.textContent")
    check_themes_and_widths(chrome)
    chrome.check_console()


def check_gpu_and_advice(chrome, page, explained):
    description = description_of(page)
    description['explain'] = description_of(explained)['explain']
    times = [{'subgraph': 0, 'node': node, 'ms': 0.01 * (node + 1), 'launches': 1} for node in range(6)]
    launches = [{'label': f'{node["node"]} #{node["node"]}', 'gmacs': None if node['node'] else 12.5, **node} for node in times]
    description['gpu'] = {'engine': 'opencl', 'device': 'a device', 'error': None, 'runs': 3, 'median_ms': 0.25, 'start_ms': 40.5, 'bytes_across': 2048,
                          'outside_ms': None, 'nodes': times, 'launches': launches}
    description['advice'] = {'lines': [{'text': 'SOFTMAX #7 and #99 of a model', 'gain_ms': 1.5, 'of': 'run', 'measured': True},
                                       {'text': 'keep the programs', 'gain_ms': 0, 'of': 'start', 'measured': False}]}
    description['notes'] = {'name': 'Landscapes', 'author': 'nobody', 'inputs': [{'name': 'picture', 'content': 'image', 'files': [], 'normalization':
                            {'mean': 127.5, 'std': 64}}], 'outputs': [], 'files': [{'name': 'labels.txt', 'type': 'labels', 'bytes': None}]}
    chrome.open(page_with(page, 'gpu.html', description))
    text = chrome.js('return document.body.innerText')
    for part in ('0.2500 ms', '40.50 ms', '2.0 KiB', 'Launches on the GPU (6)', '12.5', 'GPU ms', 'CPU ms', 'Advice, by gain', '#99 of a model',
                 'author: nobody', 'mean 127.5, std 64', 'labels.txt'):
        assert part in text, (part, text)
    first = chrome.js("return document.querySelector('#launches tbody tr').textContent")
    assert first.startswith('5 #5'), first
    chrome.click('#advice a')
    chrome.check_selected('SOFTMAX #7', '7')
    chrome.click('#launches a[href="#node-0-2"]')
    chrome.check_selected('CONV_2D #2', '2')
    details = chrome.js("return document.querySelector('.details').textContent")
    assert 'GPU: 0.0300 ms in 1 launch' in details and 'CPU: ' in details, details
    assert len(chrome.js("return [...document.querySelectorAll('#advice td a')].map(one => one.hash)")) == 1
    check_themes_and_widths(chrome)
    description['gpu'] = {'engine': 'opencl', 'error': 'no device', 'nodes': [], 'launches': []}
    chrome.open(page_with(page, 'no_gpu.html', description))
    assert 'Not run on the GPU: no device' in chrome.js('return document.body.innerText')
    chrome.check_console()


def check_bench(chrome, page, rows):
    tern('bench', MODEL, '--engines', 'cpu:1,cpu:2', '--runs', 1, '--per-op', '--json', rows)
    bench = json.loads(rows.read_text())
    bench[0] |= {'peak_gmacs': 100.0, 'outside_ms': 0.25}
    bench[0]['launches'] = [{'launch': 'CONV_2D #0', 'kernel': 'conv_2d', 'ms': 0.5, 'multiply_adds': 1000000, 'gmacs': 2.0, 'peak_share': 0.02}]
    chrome.open(page_with(page, 'bench.html', {'bench': bench}))
    assert chrome.js("return document.querySelectorAll('#runs tbody tr').length") == 2
    chrome.click('#nodes summary')
    text = chrome.js('return document.body.innerText')
    assert 'landscape' in text and 'cpu:2' in text and 'SOFTMAX' in text and '10 of 10' in text and 'GMAC/s' in text, text
    assert 'conv_2d' in text and '2.0%' in text and 'outside kernels' in text, text
    chrome.devtools('Emulation.setDeviceMetricsOverride', width=400, height=800, deviceScaleFactor=1, mobile=False)
    assert chrome.js('return document.documentElement.scrollWidth') <= 400
    chrome.check_console()


def main():
    with browser() as chrome, tempfile.TemporaryDirectory() as name:
        inspected, explained = pathlib.Path(name, 'inspect.html'), pathlib.Path(name, 'explain.html')
        tern('inspect', MODEL, '--html', inspected, '--runs', 2)
        tern('explain', MODEL, '--device', 'mali', '--html', explained)
        check_inspect(chrome, inspected)
        check_explain(chrome, explained)
        check_gpu_and_advice(chrome, inspected, explained)
        check_bench(chrome, inspected, pathlib.Path(name, 'rows.json'))
    print('the pages work')


if __name__ == '__main__':
    main()
