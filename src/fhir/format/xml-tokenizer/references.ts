/** References in texts and attribute values: `&amp;`, `&#233;` and `&#xe9;`, and no others. */
import { AMPERSAND, HASH, NAME_BYTES, SEMICOLON } from './bytes.ts';
import { INCOMPLETE, type Window } from './window.ts';

const PREDEFINED: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['apos', "'"],
  ['quot', '"'],
]);

/** The index after the reference that begins at `&`, or INCOMPLETE. */
export function referenceEnd(window: Window, at: number): number {
  return window.bytes[at + 1] === HASH
    ? characterReferenceEnd(window, at)
    : entityReferenceEnd(window, at);
}

function characterReferenceEnd(window: Window, at: number): number {
  const { bytes, end } = window;
  const isHex = bytes[at + 2] === 0x78;
  const base = isHex ? 16 : 10;
  const first = at + (isHex ? 3 : 2);
  let index = first;
  let code = 0;
  for (;;) {
    const digit = digitOf(bytes[index] ?? 0);
    if (digit < 0 || digit >= base) break;
    code = Math.min(code * base + digit, CODE_MAX + 1);
    index++;
  }
  if (index >= end) return INCOMPLETE;
  if (bytes[index] !== SEMICOLON || index === first || !isCharacter(code)) {
    window.fail('malformed character entity', index);
  }
  return index + 1;
}

function entityReferenceEnd(window: Window, at: number): number {
  const { bytes, end } = window;
  let index = at + 1;
  while (NAME_BYTES[bytes[index] ?? 0] === 1) index++;
  if (index >= end) return INCOMPLETE;
  if (bytes[index] !== SEMICOLON || index === at + 1) {
    window.fail('"&" must begin a reference, such as &amp;', at);
  }
  if (!PREDEFINED.has(window.slice(at + 1, index))) window.fail('undefined entity', index);
  return index + 1;
}

function digitOf(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

const CODE_MAX = 0x10ffff;

/** https://www.w3.org/TR/xml/#NT-Char */
function isCharacter(code: number): boolean {
  if (code < 0x20) return code === 0x09 || code === 0x0a || code === 0x0d;
  return (
    code <= 0xd7ff || (code >= 0xe000 && code <= 0xfffd) || (code >= 0x10000 && code <= CODE_MAX)
  );
}

const REFERENCE = '&(?:#x([0-9a-fA-F]+)|#([0-9]+)|([a-z]+));';
const inValue = new RegExp(`\\r\\n|[\\r\\n\\t]|${REFERENCE}`, 'g');
const inText = new RegExp(`\\r\\n?|${REFERENCE}`, 'g');

/** The value of an attribute: references replaced, and line breaks and tabs by spaces. */
export function decodeValue(value: string): string {
  return value.replace(inValue, (found, hex, decimal, name) =>
    found.charCodeAt(0) === AMPERSAND ? characterOf(hex, decimal, name) : ' ',
  );
}

/** A text: references replaced, and each line break as a line feed. */
export function decodeText(text: string): string {
  return text.replace(inText, (found, hex, decimal, name) =>
    found.charCodeAt(0) === AMPERSAND ? characterOf(hex, decimal, name) : '\n',
  );
}

/** The text of a CDATA section, in which `&` begins no reference. */
export function decodeSection(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}

function characterOf(
  hex: string | undefined,
  decimal: string | undefined,
  name: string | undefined,
): string {
  if (name !== undefined) return PREDEFINED.get(name) ?? '';
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  return String.fromCodePoint(code);
}
