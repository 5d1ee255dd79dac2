/** The requests about practitioners in the description of the national R4 service. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { ownerOfSuite } from '../../../owner.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { type DirectoryServer, editionOf } from '../../directory-server.ts';
import {
  openBytes,
  practitionerBytes,
  writeFiles,
} from '../../practitioners/practitioner-files.ts';
import { startTerminology, validAnswer } from '../terminology-server.ts';
import { NATIONAL_RECORDS, type Part, printed } from './national-data.ts';

const ODS = 'https://digital.nhs.uk/services/organisation-data-service/CodeSystem';

describe('the printed requests about practitioners', () => {
  const owner = ownerOfSuite();
  let shared: DirectoryServer;
  before(async () => {
    const practitioners = openBytes(await practitionerBytes(writeFiles(temporaryFolder(owner))));
    const edition = { ...editionOf(NATIONAL_RECORDS), practitioners };
    shared = await startTerminology(edition, { sharePractitioners: true });
    owner.after(() => shared.close());
  });

  it('the code system practitioner-role has the printed roles, with their codes', async () => {
    const { total, entry } = await validAnswer(
      shared,
      `CodeSystem?system=${ODS}/practitioner-role&_summary=false`,
    );
    // Two or three versions in the national service.
    assert.equal(total, 1);
    const concepts: readonly { readonly code: string }[] = entry[0].resource.concept;
    const codes = new Set(concepts.map(({ code }) => code));
    for (const code of ['PHOSPCON120', 'PGP1', 'PNURSE1']) assert.ok(codes.has(code), code);
  });

  it('a code of practitioner is looked up with the printed types, memberships and numbers', async () => {
    // The national pages print no answer, but say what the properties are.
    for (const [code, type, membership, number] of [
      ['G1234567', 'PGP', 'ME1', '1'],
      ['CD900001', 'PDENTCON', 'ME4', '7'],
    ] as const) {
      const target = `CodeSystem/$lookup?system=${ODS}/practitioner&code=${code}&property=*`;
      const { parameter } = await validAnswer(shared, target);
      const properties = (parameter as readonly Part[]).flatMap(({ name, part = [] }) =>
        name === 'property' ? [[printed(part[0]!), printed(part.at(1)!)] as const] : [],
      );
      const values = new Map(properties);
      assert.equal(values.get('type'), type);
      assert.ok(values.has(membership), `${code} has no ${membership}`);
      assert.ok(values.has(number), `${code} has no ${number}`);
      assert.match(String(values.get('role')), new RegExp(`^${ODS}/practitioner-role\\|${type}`));
    }
  });

  for (const system of ['practitioner', 'practitioner-role', 'geography-name', 'succession']) {
    it(`the code system ${system} is found by the parameters url and system`, async () => {
      for (const name of ['url', 'system']) {
        assert.equal((await validAnswer(shared, `CodeSystem?${name}=${ODS}/${system}`)).total, 1);
      }
    });
  }
});
