/** A directory with relationships and code systems, for tests of the operations of the R4 face. */
import assert from 'node:assert/strict';
import type { Edition } from '../../../src/directory/edition/edition.ts';
import type { SourceRecord } from '../../../src/directory/record/record.ts';
import { R4 } from '../../../src/fhir/definitions/fhir-version.ts';
import { decodeJson } from '../../../src/fhir/format/json.ts';
import { decodeXml } from '../../../src/fhir/format/xml.ts';
import { r4SchemaFindings } from '../../schemas/r4-schema.ts';
import { type DirectoryServer, editionOf, startDirectory } from '../directory-server.ts';
import { organization, role } from '../records.ts';

const OPERATIONAL = { kind: 'Operational', start: '1998-04-01' } as const;

/** In the order of their codes; `R1` is reference-only. `G82100` and `Q99` have no record. */
export const LINKED_RECORDS: readonly SourceRecord[] = [
  {
    ...organization('A81001', { name: 'THE DENSHAM SURGERY' }),
    relationships: [
      relationship('4', '16C', { isActive: false }),
      relationship('4', 'RR8'),
      relationship('8', 'Q99'),
    ],
    successions: [{ kind: 'Predecessor', periods: [], target: { code: 'G82100' } }],
  },
  {
    ...organization('A81002', { name: 'OLD SURGERY', isActive: false }),
    successions: [{ kind: 'Successor', periods: [], target: { code: 'A81001' } }],
  },
  { ...organization('R1', { name: 'A REFERENCE' }), isReferenceOnly: true },
  {
    ...organization('RR8', {
      name: 'LEEDS TEACHING HOSPITALS NHS TRUST',
      lastUpdated: '2023-11-14',
      authority: 'HSCIC',
      periods: [OPERATIONAL, { kind: 'Legal', start: '1998-04-01', end: '2030-01-01' }],
      roles: [
        role('197', { isPrimary: true }),
        role('57'),
        role('29', { isActive: false }),
        role('57'),
      ],
      telecoms: [
        { system: 'phone', value: '0113 243 3144' },
        { system: 'url', value: 'HTTPS://WWW.LEEDSTH.NHS.UK/' },
      ],
      address: {
        lines: ["ST. JAMES'S UNIVERSITY HOSPITAL", 'BECKETT STREET'],
        city: 'LEEDS',
        district: 'WEST YORKSHIRE',
        postalCode: 'LS9 7TF',
        country: 'ENGLAND',
        uprn: '72016246',
      },
    }),
  },
];

function relationship(type: string, code: string, { isActive = true } = {}) {
  return { type, isActive, periods: [OPERATIONAL], target: { code } };
}

/** A directory with an edition, by default that of `LINKED_RECORDS`. */
export function startTerminology(
  edition: Edition = editionOf(LINKED_RECORDS),
  settings: { readonly sharePractitioners?: boolean } = {},
): Promise<DirectoryServer> {
  const editions = { current: () => edition, byNumber: () => undefined };
  return startDirectory({ editions, settings });
}

const JSON_TYPE = 'application/fhir+json';

/** The answer in JSON, after a check that it is valid, and the same in XML. With a body: to a POST. */
export async function validAnswer(
  server: DirectoryServer,
  target: string,
  { body, status = 200 }: { readonly body?: string | undefined; readonly status?: number } = {},
) {
  const send = (accept: string) =>
    body === undefined
      ? server.get(`/fhir/R4/${target}`, { accept })
      : server.post(`/fhir/R4/${target}`, body, { accept, 'content-type': JSON_TYPE });
  const json = await send(JSON_TYPE);
  assert.equal(json.status, status, json.text);
  const resource = JSON.parse(json.text);
  assert.deepEqual(r4SchemaFindings(resource), []);
  const xml = await send('application/fhir+xml');
  const fromJson = decodeJson(Buffer.from(json.text), R4.definitions);
  const fromXml = decodeXml(Buffer.from(xml.text), R4.definitions);
  assert.deepEqual([fromJson.findings, fromXml.findings], [[], []], xml.text);
  if (status === 200) assert.deepEqual(fromXml.resource, fromJson.resource);
  return resource;
}
