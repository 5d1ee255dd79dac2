/** Files that were cut off: every form of import refuses them, or its lines cannot tell. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { zipBytes } from '../../scripts/release/zip.ts';
import { TopUp } from '../../src/directory/import/top-up.ts';
import { SourceError } from '../../src/directory/record/source.ts';
import { STU3 } from '../../src/fhir/definitions/fhir-version.ts';
import { encodeXml } from '../../src/fhir/format/xml.ts';
import { readSource } from '../../src/sources/import/read-source.ts';
import { readPostcodeFile } from '../../src/sources/postcodes/read-postcode-file.ts';
import { readPractitionerFiles } from '../../src/sources/practitioners/read-practitioner-files.ts';
import { SETTINGS } from '../directory/directory-server.ts';
import { csvOf, SMALL_FILES } from '../directory/practitioners/practitioner-files.ts';
import { RECORDS } from '../directory/records.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { bundleOf, linesOf, NOW, resourceOf } from './fhir/fhir-fixture.ts';
import { organisation, recordingReceiver, releaseXml } from './release-file/release-fixture.ts';
import { makeZip } from './release-file/zip-fixture.ts';

const folder = temporaryFolder({ after });

async function importOrganisations(file: string): Promise<void> {
  const { receiver } = recordingReceiver();
  await readSource({
    file,
    includeArchive: false,
    temporaryFolder: join(folder, 'temporary'),
    receiver,
    topUp: new TopUp(receiver, NOW),
    settings: [SETTINGS],
    now: NOW,
  });
}

const importPractitioners = async (file: string) => void (await readPractitionerFiles([file]));
const importPostcodes = async (file: string) => void (await readPostcodeFile(file));

const resources = RECORDS.map((record) => resourceOf(record));
const ndjson = linesOf(resources);
const bundle = bundleOf(resources);
const entryLines = `{"resourceType":"Bundle","type":"collection","entry":[\n${resources
  .map((resource) => JSON.stringify({ resource }))
  .join(',\n')}\n]}\n`;
const release = releaseXml([
  organisation('', { code: 'F1' }),
  organisation('<Name>Ä</Name>', { code: 'F2' }),
]);
const ordRecord = (code: string) =>
  JSON.stringify({
    Organisation: {
      Name: `NAME ${code}`,
      OrgId: { extension: code },
      Status: 'Active',
      LastChangeDate: '2026-01-01',
      Roles: { Role: [{ id: 'RO76', uniqueRoleId: 1, primaryRole: true, Status: 'Active' }] },
    },
  });
const r4Lines = ['A', 'B'].map((id) =>
  JSON.stringify({
    resourceType: 'Organization',
    id,
    meta: { profile: ['https://fhir.nhs.uk/England/StructureDefinition/England-Organization'] },
    identifier: [{ system: 'https://fhir.nhs.uk/Id/ods-organization-code', value: id }],
    name: 'A name',
  }),
);
const postcodes =
  'PCD2,DOTERM,LAUA,OSEAST1M,OSNRTH1M,CTRY,RGN,LSOA11,CCG,LAT,LONG,STP,LSOA21\n' +
  'ls1 4ap,,E08000035,429890,433425,E92000001,E12000003,E01033010,E38000225,53.7962,-1.5478,E54000054,E01033010\n' +
  'ls1 4aq,,E08000035,429890,433425,E92000001,E12000003,E01033010,E38000225,53.7962,-1.5478,E54000054,E01033010\n';
const gps = csvOf(SMALL_FILES.egpcur ?? []);

/** Whether a file that was cut here cannot be told from a whole one. */
type IsWhole = (cut: Buffer, content: Buffer) => boolean;
const never: IsWhole = () => false;
/** Only white space is missing. */
const byContent: IsWhole = (cut, content) =>
  content.subarray(cut.length).toString('latin1').trim() === '';
/** All its lines are whole; of JSON, the last one also without its line end. */
const byLines: IsWhole = (cut, content) =>
  cut.at(-1) === NEWLINE || content[cut.length] === NEWLINE;
const byEndedLines: IsWhole = (cut) => cut.at(-1) === NEWLINE;
const NEWLINE = 0x0a;

interface Form {
  readonly file: string;
  readonly content: string | Buffer;
  readonly isWhole: IsWhole;
  readonly read: (file: string) => Promise<void>;
}

const zipOf = async (name: string, text: string) =>
  Buffer.concat(await Array.fromAsync(zipBytes([{ name, content: [Buffer.from(text)] }])));

const organisations = (file: string, content: string | Buffer, isWhole: IsWhole): Form => ({
  file,
  content,
  isWhole,
  read: importOrganisations,
});

const FORMS: readonly Form[] = [
  organisations('release.xml', release, byContent),
  organisations('release.xml.gz', gzipSync(release), never),
  organisations(
    'release.zip',
    makeZip([{ name: 'HSCOrgRefData_Full_20260828.xml', content: release }]),
    never,
  ),
  organisations('bundle.xml', encodeXml(bundle, STU3.definitions), byContent),
  organisations('bundle.xml.gz', gzipSync(encodeXml(bundle, STU3.definitions)), never),
  organisations('bundle.json', JSON.stringify(bundle), byContent),
  organisations('bundle-indented.json', JSON.stringify(bundle, null, 2), byContent),
  organisations('bundle-lines.json', entryLines, byContent),
  organisations('bundle.json.gz', gzipSync(JSON.stringify(bundle)), never),
  organisations('organisations.ndjson', ndjson, byLines),
  organisations('without-a-name-that-tells', ndjson, byLines),
  organisations('organisations.ndjson.gz', gzipSync(ndjson), never),
  organisations('r4.ndjson', `${r4Lines.join('\n')}\n`, byLines),
  organisations('ord.json', ordRecord('RR8'), byContent),
  organisations('ord-lines.json', `${ordRecord('RR8')}\n${ordRecord('A81001')}\n`, byLines),
  organisations('ord.json.gz', gzipSync(ordRecord('RR8')), never),
  { file: 'postcodes.csv', content: postcodes, isWhole: byEndedLines, read: importPostcodes },
  {
    file: 'postcodes.zip',
    content: await zipOf('Data/ONSPD_FEB_2026_UK.csv', postcodes),
    isWhole: never,
    read: importPostcodes,
  },
  { file: 'egpcur.csv', content: gps, isWhole: byEndedLines, read: importPractitioners },
  {
    file: 'egpcur.zip',
    content: await zipOf('egpcur.csv', gps),
    isWhole: never,
    read: importPractitioners,
  },
];

const CUTS = 40;

describe('a file that was cut off is refused, or has only whole lines:', () => {
  for (const { file, content, isWhole, read } of FORMS) {
    it(file, async () => {
      const whole = Buffer.from(content);
      const place = join(folder, `${file}.folder`);
      mkdirSync(place);
      const path = join(place, file);
      writeFileSync(path, whole);
      await read(path);
      for (const length of cutsOf(whole)) {
        const cut = whole.subarray(0, length);
        writeFileSync(path, cut);
        const refused = await read(path).then(
          () => undefined,
          (error: unknown) => error,
        );
        const at = `${length} of ${whole.length}: …${cut.subarray(-40)}`;
        if (refused !== undefined) assert.ok(refused instanceof SourceError, `${at}: ${refused}`);
        else assert.ok(isWhole(cut, whole), at);
      }
    });
  }
});

/** Places everywhere, and the ends of lines and of the file. */
function cutsOf(whole: Buffer): readonly number[] {
  const step = Math.max(1, Math.floor(whole.length / CUTS));
  const lengths = new Set<number>();
  for (let at = 1; at < whole.length; at += step) lengths.add(at);
  for (let at = whole.indexOf(NEWLINE); at >= 0; at = whole.indexOf(NEWLINE, at + 1)) {
    for (const near of [at - 2, at - 1, at, at + 1, at + 2]) lengths.add(near);
  }
  for (let left = 1; left <= 12; left++) lengths.add(whole.length - left);
  return [...lengths].filter((length) => length > 0 && length < whole.length);
}
