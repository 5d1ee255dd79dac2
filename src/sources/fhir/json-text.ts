/** Reads a text of a source as JSON, with the errors of sources. */
import { type JsonBody, readJson } from '../../fhir/format/json.ts';
import { MalformedBody, startBudget } from '../../fhir/format/limits.ts';
import { ParseError } from '../text/parse-error.ts';
import { DEPTH_MAX } from './resource-events.ts';

/** More elements than organisations of the largest document have. */
const DOCUMENT_ELEMENTS_MAX = 4_000_000;

/** The levels of a Bundle around a resource: the Bundle and the entry. */
const BUNDLE_DEPTH = 2;

/** The JSON of a line; undefined for an empty line. Throws a ParseError. */
export function bodyOf(bytes: Buffer): JsonBody | undefined {
  const line = decode(bytes);
  return line.trim() === '' ? undefined : parse(line);
}

export function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new ParseError('not UTF-8');
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Throws a ParseError with the number of the line that is not valid. */
export function parseDocument(text: string): JsonBody {
  return parse(text, (offset) => ` (line ${text.slice(0, offset).split('\n').length})`);
}

export function parsedOrUndefined(text: string): JsonBody | undefined {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    return undefined;
  }
}

/** Throws a ParseError for text that is not JSON. */
export function parse(text: string, positionOf: (offset: number) => string = () => ''): JsonBody {
  const limits = { depthMax: DEPTH_MAX + BUNDLE_DEPTH, elementsMax: DOCUMENT_ELEMENTS_MAX };
  try {
    return readJson(text, startBudget(limits));
  } catch (error) {
    if (!(error instanceof MalformedBody)) throw error;
    const problem = error.message.replace(/^The body is /, '').replace(/\.$/, '');
    throw new ParseError(problem + positionOf(error.offset));
  }
}
