/** Writes a large Bundle in pieces, so that other requests are answered between them. */

import { randomUUID } from 'node:crypto';
import type { Definitions } from '../definitions/definitions.ts';
import type { AnyResource } from '../format/resource.ts';
import type { Form } from '../http/negotiate.ts';
import { encodeBody } from './answer.ts';

/**
 * The body of a Bundle, in a piece for each part. `head` is the Bundle without its entries, and a
 * part is the encoded text of some of them.
 */
export function* bundlePieces(
  head: AnyResource,
  parts: Iterable<Uint8Array | string>,
  form: Form,
  definitions: Definitions,
): Generator<Uint8Array, void, undefined> {
  const { open, separator, close } = frameOf(head, form, definitions);
  let before = open;
  for (const part of parts) {
    yield Buffer.concat([Buffer.from(before), Buffer.from(part)]);
    before = separator;
  }
  yield Buffer.from(before === open ? encodeBody(head, form, definitions) : close);
}

/** The parts of a Bundle with these entries, which are read as the parts are. */
export function* encodeEntries(
  entries: Iterable<object>,
  form: Form,
  definitions: Definitions,
): Generator<string, void, undefined> {
  const { open, close } = frameOf({ resourceType: 'Bundle' }, form, definitions);
  const encode = (entry: readonly object[]): string =>
    encodeBundle({ resourceType: 'Bundle', entry }, form, definitions).slice(
      open.length,
      -close.length,
    );
  let entry: object[] = [];
  for (const each of entries) {
    entry.push(each);
    if (entry.length < ENTRIES_AT_ONCE) continue;
    yield encode(entry);
    entry = [];
  }
  if (entry.length > 0) yield encode(entry);
}

/** Encoding them takes about two milliseconds, and gives about 100 KB. */
export const ENTRIES_AT_ONCE = 32;

/** The texts before the first entry, between two entries, and after the last one. */
interface Frame {
  readonly open: string;
  readonly separator: string;
  readonly close: string;
}

/** Found in the text of a Bundle with one entry. */
function frameOf(head: AnyResource, form: Form, definitions: Definitions): Frame {
  const isJson = form.format === 'json';
  const text = encodeBody({ ...head, entry: [{ fullUrl: 'urn:none' }] }, form, definitions);
  const [first, last] = isJson ? ['{', '}'] : ['<entry>', '</entry>'];
  const start = text.lastIndexOf(first);
  const open = text.slice(0, start);
  const indent = open.slice(open.trimEnd().length);
  const close = text.slice(text.indexOf(last, start) + last.length);
  return { open, separator: isJson ? `,${indent}` : indent, close };
}

/** The items of several lists, one list after the other. */
export function* joined<T>(...lists: readonly Iterable<T>[]): Generator<T, void, undefined> {
  for (const list of lists) yield* list;
}

export interface StoredBundle {
  readonly resourceType: 'Bundle';
  readonly id: string;
  readonly type: string;
  /** A text is a resource that is already encoded in the format of the Bundle. */
  readonly entry?: readonly { readonly resource?: string | object | undefined }[];
}

export function encodeBundle(
  bundle: Pick<StoredBundle, 'resourceType' | 'entry'>,
  form: Form,
  definitions: Definitions,
): string {
  // The writer of XML accepts texts.
  if (form.format === 'xml' || bundle.entry === undefined) {
    return encodeBody(bundle, form, definitions);
  }
  const gap = randomUUID();
  const texts: string[] = [];
  const entry = bundle.entry.map((each) => {
    if (typeof each.resource !== 'string') return each;
    texts.push(each.resource);
    return { ...each, resource: gap };
  });
  let filled = 0;
  const withGaps: typeof bundle = { ...bundle, entry };
  const json = encodeBody(withGaps, form, definitions);
  if (texts.length === 0) return json;
  return json.replaceAll(`"${gap}"`, () => texts[filled++] ?? '');
}

/** The stored texts are compact JSON, so that this form needs no work. */
export function isStoredForm({ format, isPretty }: Form): boolean {
  return format === 'json' && !isPretty;
}

/** In characters. A hundred versions may have 100 MiB. */
export function pageLengthMax(isStored: boolean): number {
  return isStored ? STORED_LENGTH_MAX : ENCODED_LENGTH_MAX;
}

/** Joining the stored texts takes about ten milliseconds. */
const STORED_LENGTH_MAX = 4 * 1024 ** 2;

/** Reading and encoding the most expensive resources again takes 40 ms, while other requests wait. */
const ENCODED_LENGTH_MAX = 320 * 1024;
