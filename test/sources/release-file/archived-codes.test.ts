/** The codes in an archive that an import leaves out. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { readArchivedCodes } from '../../../src/sources/release-file/read-release-file.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { organisation, releaseXml } from './release-fixture.ts';
import { makeZip } from './zip-fixture.ts';

const FULL = 'HSCOrgRefData_Full_20260828.xml';
const ARCHIVE = 'HSCOrgRefData_Archive_20260828.xml';
const full = releaseXml([organisation('', { code: 'A1' })]);
const archive = releaseXml([
  organisation('', { code: 'A2' }),
  organisation('', { code: 'A1', attributes: 'orgRecordClass="RC1" refOnly="true"' }),
  organisation('', { code: 'A3', status: 'Inactive' }),
]);
const whole = makeZip([
  { name: 'fullfile.zip', content: makeZip([{ name: FULL, content: full }]) },
  { name: 'archive.zip', content: makeZip([{ name: ARCHIVE, content: archive }]) },
]);

const CASES: readonly (readonly [
  what: string,
  content: Uint8Array | string,
  codes: readonly string[] | undefined,
])[] = [
  ['the full records of the archive', whole, ['A2', 'A3']],
  ['none of a release without an archive', makeZip([{ name: FULL, content: full }]), []],
  ['none of XML', full, []],
  [
    'nothing of a damaged archive',
    makeZip([
      { name: FULL, content: full },
      { name: ARCHIVE, content: archive.slice(0, -20) },
    ]),
    undefined,
  ],
];

for (const [what, content, codes] of CASES) {
  it(`are ${what}`, async (context) => {
    const folder = temporaryFolder(context);
    const file = join(folder, 'release');
    writeFileSync(file, content);
    const options = { file, includeArchive: false, temporaryFolder: folder };
    const found = await readArchivedCodes(options);
    assert.deepEqual(found && [...found], codes);
  });
}
