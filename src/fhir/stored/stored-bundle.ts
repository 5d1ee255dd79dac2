/** Bundles of stored resources: how they are encoded, and how long a page can be. */
import { randomUUID } from 'node:crypto';
import type { Definitions } from '../definitions/definitions.ts';
import type { Form } from '../http/negotiate.ts';
import { encodeBody } from '../service/encode-body.ts';

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

/** Reading and encoding the resources again takes 50 ms for each MiB, while other requests wait. */
const ENCODED_LENGTH_MAX = 512 * 1024;
