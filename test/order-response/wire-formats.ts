/** The formats that order responses are sent and answered in, and what every answer has. */
import assert from 'node:assert/strict';
import { DSTU2 } from '../../src/fhir/definitions/fhir-version.ts';
import { decodeJson } from '../../src/fhir/format/json.ts';
import { decodeXml, encodeXml } from '../../src/fhir/format/xml.ts';
import { type Answer, JSON_TYPE, XML_TYPE } from './order-server.ts';

// biome-ignore lint/suspicious/noExplicitAny: the tests check answers of every form
type Decoded = any;

/** An entry of the answer to a batch or transaction. */
interface AnsweredEntry {
  readonly response: { readonly status: string; readonly etag?: string };
  readonly resource?: { readonly resourceType: string };
}

export function entriesIn({ entry }: { readonly entry: AnsweredEntry[] }): AnsweredEntry[] {
  return entry;
}

export interface WireFormat {
  readonly type: string;
  readonly encode: (resource: object) => string;
  /** Demands that it is valid DSTU2. */
  readonly decode: (text: string) => Decoded;
}

export const FORMATS: Readonly<Record<'json' | 'xml', WireFormat>> = {
  json: {
    type: JSON_TYPE,
    encode: (resource) => JSON.stringify(resource),
    decode: (text) => {
      assert.deepEqual(decodeJson(Buffer.from(text), DSTU2.definitions).findings, []);
      return JSON.parse(text);
    },
  },
  xml: {
    type: XML_TYPE,
    encode: (resource) => encodeXml(resource as { resourceType: string }, DSTU2.definitions),
    decode: (text) => {
      const { resource, findings } = decodeXml(Buffer.from(text), DSTU2.definitions);
      assert.deepEqual(findings, []);
      return JSON.parse(JSON.stringify(resource));
    },
  },
};

/** An answer's resource, by its Content-Type. */
export function resourceIn({ headers, text }: Answer): Decoded {
  const isXml = (headers.get('content-type') ?? '').includes('xml');
  return FORMATS[isXml ? 'xml' : 'json'].decode(text);
}

/** Nothing of patients is kept by caches, or taken for something else. */
export function requirePrivate({ headers }: Answer): void {
  assert.equal(headers.get('cache-control'), 'no-store');
  assert.equal(headers.get('x-content-type-options'), 'nosniff');
  assert.equal(headers.get('access-control-allow-origin'), null);
  assert.ok(headers.get('x-request-id'));
}
