/** JSON as HTML: indented, with colours and links. It may end anywhere. */
import { createPauses } from '../../threads/pauses.ts';

/** Where a text is in the JSON: the names and the indexes that lead to it. */
export type JsonPath = readonly (string | number)[];

/** What a text of the JSON leads to, or what leads to it. */
export interface TextMark {
  readonly href?: string;
  /** The id of the element in the page. */
  readonly id?: string;
}

/** `text`: without escapes. */
export type MarkOf = (text: string, path: JsonPath) => TextMark | undefined;

/** Also calls `markOf` for each text, in order. */
export async function highlightJson(json: string, markOf: MarkOf): Promise<string> {
  const state: State = { parts: [], path: [], isNameNext: false, isEmpty: true, markOf };
  const pause = createPauses();
  let tokens = 0;
  for (const [token] of json.matchAll(TOKEN)) {
    addToken(state, token);
    tokens += 1;
    if (tokens % TOKENS_OF_A_PIECE === 0) await pause();
  }
  return state.parts.join('');
}

/** They take less than a millisecond. */
const TOKENS_OF_A_PIECE = 1000;

/** Strings, also one without an end; punctuation; numbers and words. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|".*|[{}[\],:]|[^\s"{}[\],:]+/gs;

interface State {
  readonly parts: string[];
  /** Of the value that is read, or of the one before it. A number: the index in a list. */
  readonly path: (string | number)[];
  isNameNext: boolean;
  /** Whether nothing came since the bracket before. */
  isEmpty: boolean;
  readonly markOf: MarkOf;
}

function addToken(state: State, token: string): void {
  const { parts, path } = state;
  switch (token) {
    case '{':
    case '[':
      beginItem(state);
      parts.push(token);
      path.push(token === '[' ? -1 : '');
      state.isNameNext = token === '{';
      state.isEmpty = true;
      return;
    case '}':
    case ']':
      path.pop();
      if (!state.isEmpty) parts.push(lineStart(path.length));
      parts.push(token);
      state.isEmpty = false;
      return;
    case ',':
      parts.push(token);
      state.isNameNext = typeof path.at(-1) === 'string';
      return;
    case ':':
      parts.push(': ');
      return;
    default:
      beginItem(state);
      if (state.isNameNext) addName(state, token);
      else addValue(state, token);
      state.isEmpty = false;
  }
}

/** Begins a line for a name, and for a value in a list. */
function beginItem({ parts, path, isNameNext }: State): void {
  const last = path.at(-1);
  if (typeof last === 'number') path[path.length - 1] = last + 1;
  if (typeof last === 'number' || isNameNext) parts.push(lineStart(path.length));
}

function lineStart(depth: number): string {
  return `\n${'  '.repeat(depth)}`;
}

function addName(state: State, token: string): void {
  state.path[state.path.length - 1] = textOf(token);
  state.isNameNext = false;
  state.parts.push(`<span class="n">${escapeText(token)}</span>`);
}

function addValue({ parts, path, markOf }: State, token: string): void {
  if (!token.startsWith('"')) {
    markOf(token, path);
    parts.push(`<span class="v">${escapeText(token)}</span>`);
    return;
  }
  const { href, id } = markOf(textOf(token), path) ?? {};
  const attribute = id === undefined ? '' : ` id="${escapeAttribute(id)}"`;
  const text = escapeText(token);
  const shown = href === undefined ? text : `<a href="${escapeAttribute(href)}">${text}</a>`;
  parts.push(`<span class="s"${attribute}>${shown}</span>`);
}

/** A string of JSON without quotation marks and escapes. */
function textOf(token: string): string {
  if (!token.includes('\\')) return token.replace(/^"|"$/g, '');
  try {
    return String(JSON.parse(token));
  } catch {
    return token;
  }
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Of an attribute in double quotation marks. */
function escapeAttribute(text: string): string {
  return escapeText(text).replaceAll('"', '&quot;');
}
