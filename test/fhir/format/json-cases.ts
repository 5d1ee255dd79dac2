/** Bodies in JSON that the decoder refuses, as cases of a table. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Definitions } from '../../../src/fhir/definitions/definitions.ts';
import { dstu2 } from '../../../src/fhir/definitions/published.ts';
import { decodeJson } from '../../../src/fhir/format/json.ts';

export const decode = (text: string, definitions: Definitions = dstu2) =>
  decodeJson(Buffer.from(text), definitions);
export const patient = (members: string) => `{"resourceType":"Patient",${members}}`;
export const P = '/f:Patient';

/** Each finding as `code path`, in the order of the body. */
interface Refused {
  readonly name: string;
  readonly body: string;
  readonly findings: readonly string[];
  readonly text?: RegExp;
  readonly definitions?: Definitions;
}

export function refuses(cases: readonly Refused[]): void {
  for (const { name, body, findings, text, definitions } of cases) {
    test(name, () => {
      const decoded = decode(body, definitions);
      assert.deepEqual(
        decoded.findings.map(({ code, path }) => `${code} ${path}`),
        findings,
      );
      assert.equal(decoded.findingsTotal, findings.length);
      if (text) assert.match(decoded.findings[0]?.text ?? '', text);
    });
  }
}
