/**
 * Reads resources from a stream of JSON: NDJSON and Bundles with an entry on each line, such as
 * those of `gazetteer export`, line by line; any other document as a whole.
 */
import { startFindings } from '../../fhir/format/findings.ts';
import type { JsonBody } from '../../fhir/format/json.ts';
import { MalformedBody, startBudget } from '../../fhir/format/limits.ts';
import {
  type FhirObject,
  type FhirValue,
  isObject,
  type Resource,
} from '../../fhir/format/resource.ts';
import { validateResource } from '../../fhir/format/validate.ts';
import { JsonLines } from '../text/json-lines.ts';
import { ParseError } from '../text/parse-error.ts';
import { bodyOf, decode, parse, parseDocument, parsedOrUndefined } from './json-text.ts';
import {
  DEPTH_MAX,
  ELEMENTS_MAX,
  RESOURCE_BYTES_MAX,
  type ResourceEvents,
  type ResourceKind,
} from './resource-events.ts';

/** The form of the stream, as far as the lines read so far show it. */
type Form =
  /** Nothing but empty lines so far. */
  | 'unknown'
  /**
   * Each line is a resource or a Bundle. A line that is not valid is left out. If the last line is
   * not JSON and has no line end, the file was cut off.
   */
  | 'lines'
  /** The first line ends with `"entry":[`. */
  | 'opened-bundle'
  /** Each line is an entry of a Bundle. */
  | 'entries'
  /** The lines that close this Bundle. */
  | 'bundle-end'
  /** One JSON document on several lines. */
  | 'document';

/** Where the resources go, and what they are. */
interface Sink {
  readonly events: ResourceEvents;
  readonly kind: ResourceKind;
}

/** Throws a ParseError if nothing more can be read. */
export class JsonResources {
  readonly #sink: Sink;
  readonly #lines = new JsonLines(DOCUMENT_BYTES_MAX, (line) => this.#line(line));
  #form: Form;
  #lineNumber = 0;
  #entryNumber = 0;
  /** Whether a comma follows the last entry. */
  #expectsEntry = false;
  /** The lines of a document that is not complete yet; without the entries where each has a line. */
  #document: string[] = [];
  #documentBytes = 0;
  /** Whether the line that is read is the last one, and has no line end. */
  #isUnended = false;

  /** `isLines` says that each line is a resource, even if the first line is not valid. */
  constructor(events: ResourceEvents, kind: ResourceKind, isLines: boolean) {
    this.#sink = { events, kind };
    this.#form = isLines ? 'lines' : 'unknown';
  }

  write(chunk: Uint8Array): void {
    this.#lines.write(chunk);
  }

  /** After the last chunk. Throws a ParseError if the document is not complete. */
  end(): void {
    this.#isUnended = true;
    this.#lines.end();
    if (this.#form === 'entries') throw new ParseError('not JSON: it ends inside a Bundle');
    const text = this.#document.join('\n');
    if (this.#form === 'bundle-end') this.#body(parse(text), this.#documentBytes, '');
    else if (this.#form === 'opened-bundle' || this.#form === 'document') {
      this.#body(parseDocument(text), this.#documentBytes, '');
    }
  }

  #line(bytes: Buffer | undefined): void {
    this.#lineNumber += 1;
    if (this.#form === 'lines') {
      this.#leaveOutFaults(() => this.#resourceLine(bytes));
      return;
    }
    if (bytes === undefined) throw tooLarge();
    const line = decode(bytes).trimEnd();
    if (this.#form === 'unknown') this.#firstLine(line, bytes.length);
    else if (this.#form === 'opened-bundle') this.#firstEntry(line, bytes.length);
    else if (this.#form === 'entries') this.#entryLine(line, bytes.length);
    else this.#addToDocument(line, bytes.length);
  }

  #resourceLine(bytes: Buffer | undefined): void {
    if (bytes === undefined) throw new ParseError(tooLargeText(DOCUMENT_BYTES_MAX));
    const body = this.#isUnended ? this.#lastLine(bytes) : bodyOf(bytes);
    if (body !== undefined) this.#body(body, bytes.length, `line ${this.#lineNumber}`);
  }

  #lastLine(bytes: Buffer): JsonBody | undefined {
    try {
      return bodyOf(bytes);
    } catch (error) {
      if (!(error instanceof ParseError)) throw error;
      throw new CutOff(`it was cut off in line ${this.#lineNumber} (${error.message})`);
    }
  }

  #firstLine(line: string, bytes: number): void {
    if (OPENED_BUNDLE.test(line)) this.#form = 'opened-bundle';
    else if (line !== '') {
      const body = parsedOrUndefined(line);
      if (body !== undefined) {
        this.#form = 'lines';
        this.#leaveOutFaults(() => this.#body(body, bytes, `line ${this.#lineNumber}`));
        return;
      }
      this.#form = 'document';
    }
    this.#addToDocument(line, bytes);
  }

  /** Decides whether the entries of a Bundle are on one line each. */
  #firstEntry(line: string, bytes: number): void {
    const bundle = parsedOrUndefined(`${this.#document.join('\n')}]}`)?.value;
    const isEntry = parsedOrUndefined(line.replace(/,$/, '')) !== undefined;
    if (!isBundle(bundle) || !isEntry) {
      this.#form = 'document';
      this.#addToDocument(line, bytes);
      return;
    }
    this.#form = 'entries';
    this.#expectsEntry = true;
    this.#sink.events.bundle(lastUpdatedIn(bundle));
    this.#entryLine(line, bytes);
  }

  #entryLine(line: string, bytes: number): void {
    if (line === '') return;
    const isEnd = CLOSED_LIST.test(line);
    if (isEnd === this.#expectsEntry) {
      throw new ParseError(
        `not JSON: ${isEnd ? 'an entry' : 'a comma'} is missing (line ${this.#lineNumber})`,
      );
    }
    if (isEnd) {
      this.#form = 'bundle-end';
      this.#addToDocument(line, bytes);
      return;
    }
    this.#expectsEntry = line.endsWith(',');
    this.#entryNumber += 1;
    const place = `entry ${this.#entryNumber}`;
    this.#leaveOutFaults(() => {
      if (bytes > RESOURCE_BYTES_MAX) throw new ParseError(tooLargeText(RESOURCE_BYTES_MAX));
      const body = parse(line.replace(/,$/, ''));
      takeEntry(body.value, body, place, this.#sink);
    }, place);
  }

  #addToDocument(line: string, bytes: number): void {
    this.#document.push(line);
    this.#documentBytes += bytes + 1;
    if (this.#documentBytes > DOCUMENT_BYTES_MAX) throw tooLarge();
  }

  /** A resource or a Bundle. */
  #body(body: JsonBody, bytes: number, place: string): void {
    const { value } = body;
    if (!isObject(value)) throw new ParseError('not a JSON object');
    if (isBundle(value)) takeBundle(value, body, place, this.#sink);
    else if (bytes > RESOURCE_BYTES_MAX) throw new ParseError(tooLargeText(RESOURCE_BYTES_MAX));
    else take(value, body, place === '' ? 'line 1' : place, this.#sink);
  }

  #leaveOutFaults(action: () => void, place = `line ${this.#lineNumber}`): void {
    try {
      action();
    } catch (error) {
      if (!(error instanceof ParseError) || error instanceof CutOff) throw error;
      this.#sink.events.leftOut(place, error.message);
    }
  }
}

/**
 * The largest document that is read as a whole, and the longest line: about 20,000 organisations.
 * Reading a document takes about 12 times its size in memory.
 */
const DOCUMENT_BYTES_MAX = 32 * 1024 * 1024;

const OPENED_BUNDLE = /"entry"\s*:\s*\[$/;
const CLOSED_LIST = /^\s*\]/;

function tooLargeText(bytesMax: number): string {
  return `it is larger than ${bytesMax} bytes`;
}

function tooLarge(): ParseError {
  return new ParseError(
    `it is one JSON document of more than ${DOCUMENT_BYTES_MAX} bytes`,
    "Convert it to NDJSON, one Organization on each line, for example with jq -c '.entry[].resource'.",
  );
}

function isBundle(value: FhirValue | undefined): value is FhirObject {
  return isObject(value) && value.resourceType === 'Bundle';
}

function lastUpdatedIn({ meta }: FhirObject): string | undefined {
  return isObject(meta) && typeof meta.lastUpdated === 'string' ? meta.lastUpdated : undefined;
}

/** The file ends in the middle of a line. */
class CutOff extends ParseError {}

function takeBundle(bundle: FhirObject, body: JsonBody, place: string, sink: Sink): void {
  const { events } = sink;
  events.bundle(lastUpdatedIn(bundle));
  const { entry: entries = [] } = bundle;
  if (!Array.isArray(entries)) {
    events.leftOut(place, 'the entries of the Bundle are not a list');
    return;
  }
  for (const [at, entry] of entries.entries()) {
    const entryPlace = `entry ${at + 1}`;
    takeEntry(entry, body, place === '' ? entryPlace : `${place}, ${entryPlace}`, sink);
  }
  if (body.duplicates.has(bundle)) {
    events.leftOut(place, 'the Bundle has a name twice, of which the first was read');
  }
}

function takeEntry(entry: FhirValue | undefined, body: JsonBody, place: string, sink: Sink): void {
  const resource = isObject(entry) ? entry.resource : undefined;
  if (isObject(resource)) take(resource, body, place, sink);
  else sink.events.leftOut(place, 'the entry has no resource');
}

function take(value: FhirObject, body: JsonBody, place: string, { events, kind }: Sink): void {
  kind.prepare?.(value);
  const findings = startFindings();
  const budget = startBudget({ depthMax: DEPTH_MAX, elementsMax: ELEMENTS_MAX });
  const { definitions } = kind;
  const { duplicates } = body;
  let resource: Resource | undefined;
  try {
    resource = validateResource(value, { definitions, findings, budget, duplicates });
  } catch (error) {
    // The narrative is parsed only here.
    if (!(error instanceof MalformedBody)) throw error;
    events.leftOut(place, error.message);
    return;
  }
  events.resource(resource, findings.list, place);
}
