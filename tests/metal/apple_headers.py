# SPDX-License-Identifier: Apache-2.0
"""Reads what Apple's C++ headers of Metal (metal-cpp) send: which class sends which selector, with which types.

Each of their functions is one message: `return Object::sendMessage<MTL::Buffer*>(this, _MTL_PRIVATE_SEL(newBuffer...), ...)`.
The headers are 1 MB in a wheel of 45 MB (mlx-metal for macOS), so that this is for a check by hand."""
import pathlib
import re

SCALARS = {'void': 'v', 'bool': 'B', 'float': 'f', 'double': 'd', 'CFTimeInterval': 'd', 'NS::TimeInterval': 'd',
           'TimeInterval': 'd', 'unichar': 'S', 'char': 'c', 'SEL': ':', 'size_t': 'Q',
           'UInteger': 'Q', 'Integer': 'q', 'int8_t': 'c', 'uint8_t': 'C', 'int16_t': 's', 'uint16_t': 'S', 'int': 'i',
           'int32_t': 'i', 'uint32_t': 'I', 'int64_t': 'q', 'uint64_t': 'Q', 'unsigned long long': 'Q',
           'long long': 'q', 'unsigned int': 'I', 'kern_return_t': 'i', 'task_id_token_t': 'I'}
STRUCTURES = {'Size': '{?=QQQ}', 'Origin': '{?=QQQ}', 'Range': '{?=QQ}', 'Region': '{?={?=QQQ}{?=QQQ}}',
              'SizeAndAlign': '{?=QQ}', 'ResourceID': '{?=Q}', 'AccelerationStructureSizes': '{?=QQQ}',
              'SamplePosition': '{?=ff}', 'Viewport': '{?=dddddd}', 'ScissorRect': '{?=QQQQ}',
              'VertexAmplificationViewMapping': '{?=II}', 'GPUAddress': 'Q', 'Timestamp': 'Q'}
FUNCTION = re.compile(r'_INLINE (?P<static>static )?(?P<returns>[^;{}()]*?)\s*\b(?:NS|MTL)::(?P<owner>\w+)::'
                      r'(?P<name>\w+)\((?P<parameters>(?:[^()]|\([^()]*\)|\((?:[^()]|\([^()]*\))*\))*)\)\s*(?:const)?\s*'
                      r'\{(?P<body>[^{}]*)\}')
SEND = re.compile(r'sendMessage(?:Safe)?<(?P<returns>.*?)>\((?P<target>\w+|_\w+_PRIVATE_CLS\(\w+\)), '
                  r'_\w+_PRIVATE_SEL\((?P<accessor>\w+)\)')


class Headers:
    def __init__(self, folder):
        folder = pathlib.Path(folder)
        texts = [path.read_text() for name in ('Foundation', 'Metal') for path in sorted((folder / name).glob('*.hpp'))]
        text = re.sub(r'//[^\n]*', '', '\n'.join(texts))
        self.selectors = dict(re.findall(r'_PRIVATE_DEF_SEL\((\w+),\s*"([^"]+)"\)', text))
        self.enums = {}  # name -> encoding of its underlying type
        self.constants = {}  # MTL and the name -> value, where it is a number or refers to others
        for kind, base, name, body in re.findall(r'_(?:NS|MTL)_(ENUM|OPTIONS)\(([\w:]+), (\w+)\)\s*\{([^}]*)\}', text):
            self.enums[name] = SCALARS[plain(base)]
            for key, value in re.findall(r'(\w+)\s*=\s*([^,]+)', body):
                self.constants['MTL' + key] = value.strip()
        self.unread = []
        self.messages = {}  # (owner with its prefix, is a class method, selector) -> set of encodings
        for found in FUNCTION.finditer(text):
            self.add(found)

    def add(self, found):
        send = SEND.search(found['body'])
        if not send or send['accessor'] not in self.selectors:
            return
        scope = re.search(r'\b(NS|MTL)::\w+::\w+\($', found.group(0)[:found.start('parameters') - found.start()])
        selector = self.selectors[send['accessor']]
        types = [self.encoding(send['returns'])] + [
            self.encoding(re.sub(r'\w+(\[\])?$', r'\1', parameter.strip()) if '(^' not in parameter else 'block')
            for parameter in split(found['parameters'])]
        if None in types or len(types) - 1 != selector.count(':'):
            self.unread.append(f"{found['owner']} {selector} {found['parameters']}")
            return
        key = (scope.group(1) + found['owner'], send['target'] != 'this', selector)
        self.messages.setdefault(key, set()).add(types[0] + '@:' + ''.join(types[1:]))

    def encoding(self, text):
        """The encoding of a C++ type, with structures nameless and without const; None for what is not known."""
        name = plain(text)
        if name == 'block' or name.endswith(('Handler', 'HandlerFunction', 'Block')):
            return '@?'
        if name.endswith('[]'):
            name = name[:-2].rstrip() + '*'
        if name.endswith('*'):
            inner = plain(name[:-1])
            if inner == 'char':
                return '*'
            if inner.endswith('*') or inner.startswith('Autoreleased'):
                return '^@'
            if inner in SCALARS or inner in STRUCTURES or inner in self.enums:
                return '^' + self.encoding(inner)
            return '@'
        return SCALARS.get(name) or STRUCTURES.get(name) or self.enums.get(name)

    def value(self, name, depth=8):
        """The value of an enumerator, or None."""
        text = self.constants.get(name)
        if text is None or depth == 0:
            return None
        result = 0
        for part in text.split('|'):
            part = part.strip()
            if re.fullmatch(r'-?\d+', part):
                number = int(part)
            elif re.fullmatch(r'0x[0-9A-Fa-f]+', part):
                number = int(part, 16)
            elif re.fullmatch(r'\d+ << \d+', part):
                number, _, shift = part.partition(' << ')
                number = int(number) << int(shift)
            elif part == 'NS::UIntegerMax':
                number = 2 ** 64 - 1
            else:
                number = self.value('MTL' + part, depth - 1)
            if number is None:
                return None
            result |= number
        return result


def plain(text):
    """A type without const, namespaces and spaces around `*`."""
    text = re.sub(r'\b(?:const|class|struct)\b|\b(?:NS|MTL|std)::', '', text)
    return ' '.join(re.sub(r'\s*\*', '*', text).split())


def split(parameters):
    """Parameters of a C++ function, also where one is a block."""
    parts, depth, start = [], 0, 0
    for i, letter in enumerate(parameters):
        depth += (letter in '(<') - (letter in ')>')
        if letter == ',' and depth == 0:
            parts.append(parameters[start:i])
            start = i + 1
    return parts + [parameters[start:]] if parameters.strip() else []
