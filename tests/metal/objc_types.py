# SPDX-License-Identifier: Apache-2.0
"""Type encodings of Objective-C in one form, so that two spellings of the same types are equal."""

QUALIFIERS = 'rnNoORVA'  # const, in, inout, out, bycopy, byref, oneway, atomic: none changes how an argument is passed
# long has 64 bits on every Apple system of ours, BOOL is C's bool on arm64, and pyobjc has letters of its own for BOOL and for
# chars that are text (t) or numbers (z).
SAME = {'l': 'q', 'L': 'Q', 'Z': 'B', 't': 'c', 'z': 'c'}
UNSIGNED = {'q': 'Q', 'i': 'I', 's': 'S', 'c': 'C'}


class BadEncoding(ValueError):
    pass


def types_of(text):
    """The types of a method's encoding, each in its one form: structures nameless, objects and blocks plain, without
    qualifiers, sizes and offsets."""
    found, at = [], 0
    while at < len(text):
        one, at = read(text, at)
        found.append(one)
    return found


def read(text, at):
    """The type at an offset, and where the next one starts."""
    while at < len(text) and text[at] in QUALIFIERS:
        at += 1
    if at == len(text):
        raise BadEncoding(f'{text} ends too early')
    letter = text[at]
    if letter == '@':
        form, at = '@', at + 1
        if text[at:at + 1] == '?':
            form, at = '@?', at + 1
            if text[at:at + 1] == '<':
                at = behind(text, at, '<', '>')
        elif text[at:at + 1] == '"':
            at = text.index('"', at + 1) + 1
    elif letter == '^':
        inner, at = read(text, at + 1)
        form = '^' + inner
    elif letter in '{(':
        form, at = read_members(text, at)
    elif letter == '[':
        start = at = at + 1
        while text[at:at + 1].isdigit():
            at += 1
        count = text[start:at]
        inner, at = read(text, at)
        if text[at:at + 1] != ']':
            raise BadEncoding(f'{text} lacks a ]')
        form, at = f'[{count}{inner}]', at + 1
    elif letter in 'cCsSiIqQlLBZfdDv*#:?tz':
        form, at = SAME.get(letter, letter), at + 1
    else:
        raise BadEncoding(f'{text} has an unknown {letter}')
    while text[at:at + 1].isdigit():
        at += 1
    return form, at


def read_members(text, at):
    close = {'{': '}', '(': ')'}[text[at]]
    end = behind(text, at, text[at], close)
    body = text[at + 1:end - 1]
    name, equals, members = body.partition('=')
    if not equals:  # known by name alone, as behind a pointer
        return text[at] + name + close, end
    forms, inside = [], 0
    while inside < len(members):
        if members[inside] == '"':  # a member's name
            inside = members.index('"', inside + 1) + 1
        else:
            one, inside = read(members, inside)
            forms.append(one)
    return text[at] + '?=' + ''.join(forms) + close, end


def behind(text, at, opening, closing):
    depth = 0
    for i in range(at, len(text)):
        depth += (text[i] == opening) - (text[i] == closing)
        if depth == 0:
            return i + 1
    raise BadEncoding(f'{text} lacks a {closing}')


def without_signs(form):
    """A type with its integers unsigned: for sources that do not tell the two apart."""
    return ''.join(UNSIGNED.get(letter, letter) for letter in form)
