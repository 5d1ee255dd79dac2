/** The bytes that have a meaning in XML, and tables of the bytes at which a scan stops. */

const TAB = 0x09;
export const LINE_FEED = 0x0a;
export const CARRIAGE_RETURN = 0x0d;
export const SPACE = 0x20;
export const EXCLAMATION_MARK = 0x21;
export const DOUBLE_QUOTE = 0x22;
export const HASH = 0x23;
export const AMPERSAND = 0x26;
export const SINGLE_QUOTE = 0x27;
export const SLASH = 0x2f;
export const SEMICOLON = 0x3b;
export const LESS_THAN = 0x3c;
export const EQUALS = 0x3d;
export const GREATER_THAN = 0x3e;
export const QUESTION_MARK = 0x3f;
const CLOSING_BRACKET = 0x5d;
/** The first byte of U+F000 to U+FFFF, of which XML allows all but U+FFFE and U+FFFF. */
export const LEAD_OF_NONCHARACTERS = 0xef;

/** A table with 1 for the bytes that the test accepts. */
function tableOf(test: (byte: number) => boolean): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => Number(test(byte)));
}

const isAsciiNameByte = (byte: number) => /[\w:.-]/.test(String.fromCharCode(byte));
const isAsciiNameStart = (byte: number) => /[A-Za-z_:]/.test(String.fromCharCode(byte));

/** Bytes of names. Those of characters outside ASCII are checked when a name is created. */
export const NAME_BYTES = tableOf((byte) => byte >= 0x80 || isAsciiNameByte(byte));

/** Bytes that begin a name. */
export const NAME_START_BYTES = tableOf((byte) => byte >= 0x80 || isAsciiNameStart(byte));

/** Bytes that may be part of a character that XML does not allow. */
export const SUSPECT_BYTES = tableOf(
  (byte) =>
    byte === LEAD_OF_NONCHARACTERS ||
    (byte < SPACE && byte !== TAB && byte !== LINE_FEED && byte !== CARRIAGE_RETURN),
);

/** Bytes at which the scan of a text stops: it ends there, or must be decoded or checked. */
export const TEXT_STOPS = tableOf(
  (byte) =>
    SUSPECT_BYTES[byte] === 1 ||
    byte === LESS_THAN ||
    byte === AMPERSAND ||
    byte === GREATER_THAN ||
    byte === CARRIAGE_RETURN,
);

/** The same for the value of an attribute. */
export const VALUE_STOPS = tableOf(
  (byte) =>
    byte < SPACE ||
    SUSPECT_BYTES[byte] === 1 ||
    byte === LESS_THAN ||
    byte === AMPERSAND ||
    byte === DOUBLE_QUOTE ||
    byte === SINGLE_QUOTE,
);

/** White space as XML has it (production 3). */
export function isSpaceByte(byte: number): boolean {
  return byte === SPACE || byte === LINE_FEED || byte === TAB || byte === CARRIAGE_RETURN;
}

/** The line breaks between two indexes: each line feed, and each carriage return without one. */
export function countLineBreaks(bytes: Uint8Array, from: number, to: number): number {
  let count = 0;
  for (let index = from; index < to; index++) {
    const byte = bytes[index];
    if (byte === LINE_FEED) count++;
    else if (byte === CARRIAGE_RETURN && bytes[index + 1] !== LINE_FEED) count++;
  }
  return count;
}

/** What begins at a `<` or `&`, in words. */
export function kindOfToken(bytes: Uint8Array, at: number): string {
  if (bytes[at] === AMPERSAND) return 'a reference';
  if (bytes[at + 1] === QUESTION_MARK) return 'a processing instruction';
  return bytes[at + 1] === EXCLAMATION_MARK ? 'a comment or CDATA section' : 'a tag';
}

/** Whether the `>` at this index ends a `]]>` of the text that begins at `from`. */
export function isSectionEnd(bytes: Uint8Array, from: number, index: number): boolean {
  return (
    index - from >= 2 &&
    bytes[index - 1] === CLOSING_BRACKET &&
    bytes[index - 2] === CLOSING_BRACKET
  );
}

/** The end of a text, without last bytes whose meaning depends on the text that follows. */
export function textEnd(bytes: Uint8Array, from: number, end: number): number {
  let to = end;
  if (to > from && bytes[to - 1] === CARRIAGE_RETURN) return to - 1;
  while (to > from && end - to < 2 && bytes[to - 1] === CLOSING_BRACKET) to--;
  return to;
}
