/** Writes a large Bundle in pieces, so that other requests are answered between them. */
import type { Definitions } from '../definitions/definitions.ts';
import type { AnyResource } from '../format/resource.ts';
import type { Form } from '../http/negotiate.ts';
import { encodeBody } from '../service/encode-body.ts';
import { encodeBundle } from '../stored/stored-bundle.ts';

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
