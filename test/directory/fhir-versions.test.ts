/** Two faces with different FHIR versions: one OpenAPI description, and a statement for each. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parseDefinitions } from '../../src/fhir/definitions/definitions.ts';
import { STU3 } from '../../src/fhir/definitions/fhir-version.ts';
import { STU3_TABLE } from '../../src/fhir/definitions/stu3.generated.ts';
import { capabilityStatement } from '../../src/fhir/statement/capabilities.ts';
import { openApi } from '../../src/fhir/statement/open-api.ts';
import type { DirectoryFace } from '../../src/interfaces/faces/face.ts';
import { serveFace } from '../../src/interfaces/faces/rendered-edition.ts';
import { createDirectoryService } from '../../src/interfaces/service.ts';
import { STU3_FACE } from '../../src/interfaces/stu3/face.ts';
import { BASE, SETTINGS, SOFTWARE } from './directory-server.ts';

/** Elements that are in STU3. R4 has no `acceptUnknown`; the others stand for further changes. */
const REMOVED = ['acceptUnknown', 'cors', 'conditionalRead'];

const LATER_FACE: DirectoryFace = {
  ...STU3_FACE,
  name: 'LaterDirectory',
  version: {
    ...STU3,
    name: 'R4',
    number: '4.0.1',
    definitions: parseDefinitions(
      'R4',
      STU3_TABLE.replaceAll(new RegExp(`^ {2}(${REMOVED.join('|')}) .*\n`, 'gm'), ''),
    ),
  },
  pathOf: () => '/R4',
  downloadPath: '/R4/editions/current.ndjson',
  releasePath: '/R4/editions/current.xml',
};

const SERVICES = [STU3_FACE, LATER_FACE].map((face) =>
  createDirectoryService(serveFace(face, { settings: SETTINGS, serverUrl: BASE }), {
    current: () => undefined,
    byNumber: () => undefined,
  }),
);

/** The parts of the description that this test reads. */
interface Description {
  readonly info: { readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Record<string, Record<string, { readonly operationId: string }>>;
}

const described = (services = SERVICES): Description =>
  JSON.parse(JSON.stringify(openApi(services, SOFTWARE)));

const operationIds = ({ paths }: Description): string[] =>
  Object.values(paths).flatMap((item) => Object.values(item).map(({ operationId }) => operationId));

it('each operation has an id of its own, and the first face keeps its ids', () => {
  const ids = operationIds(described());
  const alone = operationIds(described(SERVICES.slice(0, 1)));
  assert.equal(new Set(ids).size, ids.length);
  assert.equal(ids.length, 2 * alone.length);
  assert.deepEqual(ids.slice(0, alone.length), alone);
  assert.ok(alone.includes('readOrganization'));
  assert.ok(ids.includes('LaterDirectory.readOrganization'));
});

it('the descriptions of the faces name their FHIR versions', () => {
  const { info, tags } = described();
  assert.equal(new Set(tags.map(({ name }) => name)).size, tags.length);
  assert.match(tags[0]?.description ?? '', /STU3 \(3\.0\.2\)/);
  assert.match(tags[1]?.description ?? '', /R4 \(4\.0\.1\)/);
  assert.match(info.description, /STU3 .*R4 /);
});

it('a capability statement has only the elements of its FHIR version', () => {
  const [first, later] = SERVICES.map((service) =>
    JSON.stringify(capabilityStatement(service, SOFTWARE)),
  );
  for (const name of REMOVED) {
    assert.ok(first?.includes(`"${name}":`), name);
    assert.ok(!later?.includes(`"${name}":`), name);
  }
});
