/** Practitioners as servers open them: people by code, number, name and organisation. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { Practitioners } from '../../../src/directory/practitioners/practitioners.ts';
import type { Owner } from '../../owner.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import {
  csvOf,
  openBytes,
  practitionerBytes,
  SMALL_FILES,
  writeFiles,
} from './practitioner-files.ts';

async function smallPractitioners(owner: Owner): Promise<Practitioners> {
  return openBytes(await practitionerBytes(writeFiles(temporaryFolder(owner))));
}

describe('practitioners of the eight files', () => {
  it('a practitioner has what all files say of the code', async (context) => {
    const practitioners = await smallPractitioners(context);
    assert.equal(practitioners.count, 9);
    assert.deepEqual(practitioners.find('g1234567'), {
      code: 'G1234567',
      name: 'TESTPERSON A',
      registeredName: 'Anyone Testperson',
      type: 'PGP',
      roles: ['PGP1'],
      isActive: true,
      numbers: [
        { kind: 1, value: 'G1234567' },
        { kind: 6, value: '9000001' },
      ],
      memberships: [{ kind: 'ME1', organisation: 'A81001', from: '2001-04-01' }],
    });
    assert.deepEqual(practitioners.find('C9000001'), {
      code: 'C9000001',
      name: 'TESTPERSON A',
      type: 'PHOSPCON',
      roles: ['PHOSPCON120', 'PHOSPCON130'],
      isActive: true,
      numbers: [
        { kind: 3, value: 'C9000001' },
        { kind: 6, value: '9000001' },
      ],
      memberships: [{ kind: 'ME3', organisation: 'RR8' }],
    });
    const kinds = ['G1111111', 'C9000002', 'CD900001', '01A2345E', 'Q1234567', 'Z1234'].map(
      (code) => {
        const found = practitioners.find(code);
        return [found?.name, found?.isActive, found?.roles.join(), found?.memberships.length];
      },
    );
    assert.deepEqual(kinds, [
      ['SAMPLE-NAME B', false, 'PGP1', 2],
      ['PLACEHOLDER C D', true, 'PHOSPCON300', 2],
      ['MADEUP E', true, 'PDENTCON140', 1],
      ['INVENTED F', true, 'PNURSEPN', 2],
      ['FICTIONAL G', true, 'PPCDP1', 1],
      ['NOBODY H', true, 'PGP1', 1],
    ]);
  });

  it('codes that stand for nobody are no practitioners', async (context) => {
    const practitioners = await smallPractitioners(context);
    assert.equal(practitioners.find('G9999998'), undefined);
    assert.deepEqual(practitioners.search('LOCUM'), []);
  });

  it('a GMC number finds all codes of the person, and not a dentist with the same number', async (context) => {
    const practitioners = await smallPractitioners(context);
    const codesWith = (number: string) => practitioners.withNumber(number).map(({ code }) => code);
    assert.deepEqual(codesWith('G7654321'), ['C9000001', 'G1234567', 'G7654321']);
    assert.deepEqual(codesWith('CD900001'), ['CD900001']);
    assert.deepEqual(codesWith('9000002'), ['C9000002']);
    assert.deepEqual(codesWith('0000000'), []);
  });

  it('a search finds codes, numbers and words of names in any case and order', async (context) => {
    const practitioners = await smallPractitioners(context);
    const found = (text: string) =>
      practitioners.search(text).map((row) => practitioners.at(row).code);
    assert.deepEqual(found('anyone'), ['G1234567', 'G7654321']);
    assert.deepEqual(found('a testperson'), ['C9000001', 'G1234567', 'G7654321']);
    assert.deepEqual(found('person testperson a testperson'), found('a testperson'));
    assert.deepEqual(found(' z1234 '), ['Z1234']);
    assert.deepEqual(found('no such name'), []);
    assert.deepEqual(found(' '), []);
  });

  it('an organisation has those who worked for it on the day', async (context) => {
    const practitioners = await smallPractitioners(context);
    const codesOf = (code: string, day?: string) =>
      practitioners.ofOrganisation(code, day).map((each) => each.code);
    assert.deepEqual(codesOf('A81001'), ['01A2345E', 'G1111111', 'G1234567']);
    assert.deepEqual(codesOf('A81001', '2024-03-31'), ['01A2345E', 'G1111111', 'G1234567']);
    assert.deepEqual(codesOf('A81001', '2024-04-01'), ['01A2345E', 'G1234567']);
    assert.deepEqual(codesOf('A81001', '2000-01-01'), ['G1111111']);
    assert.deepEqual(codesOf('Z99999', '1995-01-01'), ['G1111111']);
    assert.deepEqual(codesOf('RCB'), ['C9000002']);
    assert.deepEqual(codesOf('A81'), []);
  });

  it('the bytes of the files stay as they were', async (context) => {
    const practitioners = await smallPractitioners(context);
    const text = gunzipSync(practitioners.file('egpcur') ?? Buffer.alloc(0)).toString();
    assert.equal(text, csvOf(SMALL_FILES.egpcur ?? []));
  });
});
