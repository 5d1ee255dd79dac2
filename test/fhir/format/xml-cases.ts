/** Bodies in XML that the decoder refuses, as cases of a table. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Definitions } from '../../../src/fhir/definitions/definitions.ts';
import { dstu2 } from '../../../src/fhir/definitions/published.ts';
import { decodeXml } from '../../../src/fhir/format/xml.ts';

export const decode = (text: string, definitions: Definitions = dstu2) =>
  decodeXml(Buffer.from(text), definitions);
/** The content begins at line 2, column 1. */
export const patient = (content: string) =>
  `<Patient xmlns="http://hl7.org/fhir">\n${content}</Patient>`;
export const P = '/f:Patient';

/** Each finding as `code path line:column`, in the order of the body. */
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
        decoded.findings.map((f) => `${f.code} ${f.path} ${f.line}:${f.column}`),
        findings,
      );
      assert.equal(decoded.findingsTotal, findings.length);
      if (text) assert.match(decoded.findings[0]?.text ?? '', text);
    });
  }
}
