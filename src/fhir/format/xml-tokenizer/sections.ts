/** The parts of a document besides tags and texts: comments, CDATA sections, instructions, DOCTYPEs. */
import { EXCLAMATION_MARK, GREATER_THAN, isSpaceByte, SUSPECT_BYTES } from './bytes.ts';
import { isNcName } from './names.ts';
import { nameEnd } from './tag.ts';
import { INCOMPLETE, type Window } from './window.ts';

export interface SectionKind {
  readonly name: 'comment' | 'cdata' | 'instruction' | 'doctype';
  readonly start: string;
  /** The first of these characters ends the section, or must be followed by its end. */
  readonly end: string;
}

const COMMENT: SectionKind = { name: 'comment', start: '<!--', end: '--' };
const CDATA: SectionKind = { name: 'cdata', start: '<![CDATA[', end: ']]>' };
const DOCTYPE: SectionKind = { name: 'doctype', start: '<!DOCTYPE', end: '' };
const INSTRUCTION: SectionKind = { name: 'instruction', start: '<?', end: '?>' };
const DECLARATIONS = [COMMENT, CDATA, DOCTYPE];
const LONGEST_START = Math.max(...DECLARATIONS.map(({ start }) => start.length));

/** The kind of section that begins at this `<!` or `<?`; undefined if more bytes are needed. */
export function sectionAt(window: Window, at: number): SectionKind | undefined {
  if (window.bytes[at + 1] !== EXCLAMATION_MARK) return INSTRUCTION;
  const text = window.slice(at, Math.min(at + LONGEST_START, window.end));
  const kind = DECLARATIONS.find(({ start }) => text.startsWith(start));
  const isBegun = kind !== undefined || DECLARATIONS.some(({ start }) => start.startsWith(text));
  return isBegun ? kind : window.fail('incorrect syntax', at + 2);
}

/** The index after the section, or INCOMPLETE. */
export function sectionEnd(window: Window, at: number, kind: SectionKind): number {
  const to = window.indexOf(kind.end, at + kind.start.length);
  // The `>` is part of all of them, but only a comment must not have the rest without it.
  const end = to + (kind === COMMENT ? 3 : kind.end.length);
  return to < 0 || end > window.end ? INCOMPLETE : end;
}

/** Throws unless the section is well-formed. */
export function checkSection(window: Window, at: number, end: number, kind: SectionKind): void {
  if (kind === INSTRUCTION) checkTarget(window, at, end - kind.end.length);
  const { bytes } = window;
  for (let index = at; index < end; index++) {
    if (SUSPECT_BYTES[bytes[index] ?? 0] === 1) window.checkCharacter(index);
  }
  if (bytes[end - 1] !== GREATER_THAN) window.fail('malformed comment', end - 1);
}

/** https://www.w3.org/TR/xml/#NT-PITarget */
function checkTarget(window: Window, at: number, to: number): void {
  const { bytes } = window;
  const nameTo = nameEnd(bytes, at + 2);
  const target = bytes.toString('utf8', at + 2, nameTo);
  if (target === '') window.fail('processing instruction without a target', at + 2);
  if (!isNcName(target) || (nameTo < to && !isSpaceByte(bytes[nameTo] ?? 0))) {
    window.fail('disallowed character in processing instruction name', nameTo);
  }
  const isDeclaration = target === 'xml' && window.base + at === 0;
  if (/^xml$/i.test(target) && !isDeclaration) {
    window.fail('the XML declaration must appear at the start of the document', at);
  }
}

/** The name in the DOCTYPE that begins here; undefined if the window ends too early. */
export function doctypeName(window: Window, at: number): string | undefined {
  const { bytes } = window;
  let from = at + DOCTYPE.start.length;
  while (isSpaceByte(bytes[from] ?? 0)) from++;
  const to = nameEnd(bytes, from);
  return to === window.end ? undefined : bytes.toString('utf8', from, to);
}

const PATTERN = new RegExp(
  '^<\\?xml' +
    '[ \\t\\r\\n]+version[ \\t\\r\\n]*=[ \\t\\r\\n]*(?:"1\\.[0-9]+"|\'1\\.[0-9]+\')' +
    '(?:[ \\t\\r\\n]+encoding[ \\t\\r\\n]*=[ \\t\\r\\n]*(["\'])([A-Za-z][A-Za-z0-9._-]*)\\1)?' +
    '(?:[ \\t\\r\\n]+standalone[ \\t\\r\\n]*=[ \\t\\r\\n]*(?:"(?:yes|no)"|\'(?:yes|no)\'))?' +
    '[ \\t\\r\\n]*\\?>$',
);

/**
 * The encoding in the instruction between two indexes, which begins the document; undefined if
 * it is not an XML declaration. Any version 1.x is read as 1.0.
 */
export function encodingAt(window: Window, from: number, to: number): string | undefined {
  const text = window.slice(from, to);
  if (!/^<\?xml[ \t\r\n?]/.test(text)) return undefined;
  const match = PATTERN.exec(text);
  if (match === null) return window.fail('the XML declaration is malformed', to - 1);
  return match[2];
}
