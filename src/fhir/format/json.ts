/** Reads JSON strictly and within limits, decodes FHIR JSON to a checked resource, and encodes resources. */

import type { Definitions } from '../definitions/definitions.ts';
import { finish, refusedJson, requireText } from './body.ts';
import { startFindings } from './findings.ts';
import {
  type Budget,
  DEFAULT_LIMITS,
  type Limits,
  MalformedBody,
  startBudget,
  takeElement,
} from './limits.ts';
import { type Decoded, type FhirObject, type FhirValue, isObject, numberOf } from './resource.ts';
import { validateResource } from './validate.ts';

export interface JsonBody {
  readonly value: FhirValue;
  /** The names that an object has more than once (its first value counts). */
  readonly duplicates: ReadonlyMap<FhirObject, readonly string[]>;
}

/** Throws MalformedBody for text that is not JSON. Objects have no prototype. */
export function readJson(text: string, budget: Budget): JsonBody {
  const reader: JsonReader = { text, at: 0, budget, duplicates: new Map() };
  skipSpace(reader);
  const value = readValue(reader, 1);
  skipSpace(reader);
  if (reader.at < text.length) return refuse(reader, 'there is more text after its end');
  return { value, duplicates: reader.duplicates };
}

interface JsonReader {
  readonly text: string;
  at: number;
  readonly budget: Budget;
  readonly duplicates: Map<FhirObject, string[]>;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const numberPattern = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const escapePattern = /^u[0-9A-Fa-f]{4}$/;
const LETTERS_OF_ESCAPES: ReadonlySet<number> = new Set(Buffer.from('"\\/bfnrt'));

function readValue(reader: JsonReader, depth: number): FhirValue {
  const first = reader.text[reader.at];
  if (first === '[') return readArray(reader, depth);
  takeElement(reader.budget, depth, reader.at);
  switch (first) {
    case '{':
      return readObject(reader, depth);
    case '"':
      return readString(reader);
    case 't':
      return readWord(reader, 'true', true);
    case 'f':
      return readWord(reader, 'false', false);
    case 'n':
      return readWord(reader, 'null', null);
    default:
      return readNumber(reader);
  }
}

function readObject(reader: JsonReader, depth: number): FhirObject {
  const object: Record<string, FhirValue> = Object.create(null);
  reader.at += 1;
  skipSpace(reader);
  if (reader.text[reader.at] === '}') {
    reader.at += 1;
    return object;
  }
  for (;;) {
    if (reader.text[reader.at] !== '"') refuse(reader, 'a property name in quotes was expected');
    const name = readString(reader);
    skipSpace(reader);
    if (reader.text[reader.at] !== ':') refuse(reader, '":" was expected');
    reader.at += 1;
    skipSpace(reader);
    const value = readValue(reader, depth + 1);
    if (name in object) noteDuplicate(reader, object, name);
    else object[name] = value;
    skipSpace(reader);
    const next = reader.text[reader.at];
    if (next !== ',' && next !== '}') refuse(reader, '"," or "}" was expected');
    reader.at += 1;
    if (next === '}') return object;
    skipSpace(reader);
  }
}

function noteDuplicate(reader: JsonReader, object: FhirObject, name: string): void {
  const names = reader.duplicates.get(object);
  if (names === undefined) reader.duplicates.set(object, [name]);
  else names.push(name);
}

function readArray(reader: JsonReader, depth: number): FhirValue[] {
  const items: FhirValue[] = [];
  reader.at += 1;
  skipSpace(reader);
  if (reader.text[reader.at] === ']') {
    reader.at += 1;
    return items;
  }
  for (;;) {
    // An array in an array is not FHIR, but it must not exhaust the stack.
    if (reader.text[reader.at] === '[') takeElement(reader.budget, depth + 1, reader.at);
    items.push(readValue(reader, reader.text[reader.at] === '[' ? depth + 1 : depth));
    skipSpace(reader);
    const next = reader.text[reader.at];
    if (next !== ',' && next !== ']') refuse(reader, '"," or "]" was expected');
    reader.at += 1;
    if (next === ']') return items;
    skipSpace(reader);
  }
}

function readString(reader: JsonReader): string {
  const { text, at: start } = reader;
  let hasEscapes = false;
  for (let at = start + 1; ; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      reader.at = at + 1;
      if (!hasEscapes) return text.slice(start + 1, at);
      // Much faster than to join the parts between escapes.
      const value: string = JSON.parse(text.slice(start, at + 1));
      return value;
    }
    if (code === BACKSLASH) {
      hasEscapes = true;
      at += escapeLength(reader, at + 1);
    } else if (!(code >= SPACE)) {
      // Also the NaN that stands for the end of the text.
      reader.at = at;
      refuse(
        reader,
        at >= text.length ? 'a string has no end' : 'a string has a control character',
      );
    }
  }
}

/** The number of characters of an escape after its backslash. */
function escapeLength(reader: JsonReader, at: number): number {
  if (LETTERS_OF_ESCAPES.has(reader.text.charCodeAt(at))) return 1;
  if (escapePattern.test(reader.text.slice(at, at + 5))) return 5;
  reader.at = at;
  return refuse(reader, 'an escape is unknown');
}

function readWord<T>(reader: JsonReader, word: string, value: T): T {
  if (!reader.text.startsWith(word, reader.at)) refuse(reader, 'a value was expected');
  reader.at += word.length;
  return value;
}

function readNumber(reader: JsonReader): FhirValue {
  numberPattern.lastIndex = reader.at;
  const match = numberPattern.exec(reader.text);
  if (match === null) return refuse(reader, 'a value was expected');
  reader.at += match[0].length;
  return numberOf(match[0]);
}

function skipSpace(reader: JsonReader): void {
  for (;;) {
    const code = reader.text.charCodeAt(reader.at);
    if (code !== SPACE && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
    reader.at += 1;
  }
}

function refuse(reader: JsonReader, problem: string): never {
  throw new MalformedBody('structure', `The body is not JSON: ${problem}`, reader.at);
}

/** https://hl7.org/fhir/STU3/json.html */
export function decodeJson(
  body: Uint8Array,
  definitions: Definitions,
  limits: Partial<Limits> = {},
): Decoded {
  const bytes = requireText(body, 'JSON');
  if (!Buffer.isBuffer(bytes)) return bytes;
  const text = bytes.toString();
  const findings = startFindings();
  const budget = startBudget({ ...DEFAULT_LIMITS, ...limits });
  try {
    const { value, duplicates } = readJson(text, budget);
    const resource = validateResource(value, { definitions, findings, budget, duplicates });
    return finish(resource, findings, findings.list);
  } catch (error) {
    if (error instanceof MalformedBody) return refusedJson(error, text);
    throw error;
  }
}

/** Encodes the properties in their order. The resource may be in a legacy form. */
export function encodeJson(resource: object, options: { pretty?: boolean } = {}): string {
  if (options.pretty !== true) return JSON.stringify(resource);
  return `${JSON.stringify(resource, null, 2)}\n`;
}

/** The same text in pieces, of which each has a few items of a long list. */
export function* encodeJsonInPieces(
  resource: object,
  { pretty = false }: { pretty?: boolean } = {},
): Generator<string, void, undefined> {
  yield* jsonPieces(resource, pretty ? '\n' : '', LEVELS_IN_PIECES);
  if (pretty) yield '\n';
}

/** Lists deeper than in elements of elements of the resource are short. */
export const LEVELS_IN_PIECES = 2;
/** To encode so many items takes about a millisecond. */
export const ITEMS_PER_PIECE = 64;

/** `indent` is the text before each line: nothing, or a line break and spaces. */
function* jsonPieces(
  value: unknown,
  indent: string,
  levels: number,
): Generator<string, void, undefined> {
  const deeper = indent === '' ? '' : `${indent}  `;
  if (Array.isArray(value) && value.length > ITEMS_PER_PIECE) {
    for (let at = 0; at < value.length; at += ITEMS_PER_PIECE) {
      const items = value.slice(at, at + ITEMS_PER_PIECE).map((item) => jsonText(item, deeper));
      yield (at === 0 ? '[' : ',') + deeper + items.join(`,${deeper}`);
    }
    yield `${indent}]`;
  } else if (levels > 0 && isObject(value)) {
    const colon = indent === '' ? ':' : ': ';
    let before = '{';
    for (const [name, member] of Object.entries(value)) {
      if (member === undefined) continue;
      yield `${before}${deeper}${JSON.stringify(name)}${colon}`;
      yield* jsonPieces(member, deeper, levels - 1);
      before = ',';
    }
    yield before === '{' ? '{}' : `${indent}}`;
  } else yield jsonText(value, indent);
}

/** As a list has it: a value that JSON has not is null. */
function jsonText(value: unknown, indent: string): string {
  const text = JSON.stringify(value, null, indent === '' ? 0 : 2) ?? 'null';
  return indent === '' ? text : text.replaceAll('\n', indent);
}
