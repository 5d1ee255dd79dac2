/** Makes a release file of invented organisations in the national format, of any size, the same for the same seed. */
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { parseArgs } from 'node:util';
import { createGzip } from 'node:zlib';
import { INVENTED_SOURCE } from '../../src/directory/record/source.ts';
import { organisationKinds } from './kinds.ts';
import { escapeXml, organisationXml, type SampleOrganisation } from './organisation.ts';
import {
  archiveOrganisations,
  fullOrganisations,
  type ReleaseOptions,
  releaseDefaults,
} from './organisations.ts';
import { releaseRoles } from './roles.ts';
import { zipBytes } from './zip.ts';

/** The text of the full file, piece by piece. */
export function* generateRelease(options: ReleaseOptions): Generator<string, void, undefined> {
  yield* fileXml(options, 'Full', options.records, fullOrganisations(options));
}

/** The text of the archive file: what is only referred to in the full one, and the other way round. */
export function* generateArchive(options: ReleaseOptions): Generator<string, void, undefined> {
  yield* fileXml(options, 'Archive', options.archive, archiveOrganisations(options));
}

/** The bytes of a whole release file: the national nesting of zips, the XML alone, or its gzip. */
export function releaseBytes(
  options: ReleaseOptions,
  format: 'zip' | 'xml' | 'xml.gz',
): AsyncIterable<Uint8Array> {
  if (format === 'xml') return Readable.from(encoded(generateRelease(options)));
  if (format === 'xml.gz')
    return Readable.from(encoded(generateRelease(options))).pipe(createGzip());
  const date = options.publicationDate.replaceAll('-', '');
  const inner = (kind: string, text: Iterable<string>): AsyncIterable<Uint8Array> =>
    zipBytes([{ name: `HSCOrgRefData_${kind}_${date}.xml`, content: encoded(text) }]);
  const full = { name: 'fullfile.zip', content: inner('Full', generateRelease(options)) };
  if (options.archive === 0) return zipBytes([full]);
  const archive = { name: 'archive.zip', content: inner('Archive', generateArchive(options)) };
  return zipBytes([full, archive]);
}

/** Organisations a piece of text holds: some 70 KB. */
const ORGANISATIONS_PER_PIECE = 32;

function* fileXml(
  options: ReleaseOptions,
  content: 'Full' | 'Archive',
  count: number,
  organisations: Iterable<SampleOrganisation>,
): Generator<string, void, undefined> {
  yield headXml(options, content, count);
  let piece = '';
  let number = 0;
  for (const organisation of organisations) {
    piece += organisationXml(organisation, number);
    number += 1;
    if (number % ORGANISATIONS_PER_PIECE === 0) {
      yield piece;
      piece = '';
    }
  }
  yield `${piece}  </Organisations>\n</HSCOrgRefData:OrgRefData>\n`;
}

function headXml(options: ReleaseOptions, content: string, count: number): string {
  const { publicationDate, sequence } = options;
  const concepts = (prefix: string, rows: readonly (readonly [string, string])[]): string =>
    rows
      .map(
        ([code, display]) =>
          `      <concept id="${prefix}${code}" code="${code}" displayName="${escapeXml(display)}"/>\n`,
      )
      .join('');
  const system = (name: string, oid: string, rows: string): string =>
    `    <CodeSystem name="${name}" oid="${oid}">\n${rows}    </CodeSystem>\n`;
  // The byte order mark is in the national file too, sometimes.
  return (
    `\uFEFF<?xml version="1.0" encoding="utf-8"?>\n` +
    `<HSCOrgRefData:OrgRefData xmlns:HSCOrgRefData="http://refdata.hscic.gov.uk/org/v2-0-0"` +
    ` xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">\n` +
    `  <Manifest>\n    <Version value="2-0-0"/>\n    <PublicationType value="Full"/>\n` +
    `    <PublicationSource value="${INVENTED_SOURCE}, seed ${options.seed}"/>\n` +
    `    <PublicationDate value="${publicationDate}"/>\n` +
    `    <PublicationSeqNum value="${sequence}"/>\n` +
    `    <FileCreationDateTime value="${publicationDate}T00:00:00"/>\n` +
    `    <RecordCount value="${count}"/>\n` +
    `    <ContentDescription value="HSCOrgRefData_${content}_${publicationDate.replaceAll('-', '')}"/>\n` +
    `    <PrimaryRoleScope>\n${scopeXml()}    </PrimaryRoleScope>\n  </Manifest>\n` +
    `  <CodeSystems>\n` +
    system('OrganisationRole', '2.999.1', concepts('RO', releaseRoles)) +
    system('OrganisationRelationship', '2.999.2', concepts('RE', relationships)) +
    system('OrganisationRecordClass', '2.999.3', concepts('RC', recordClasses)) +
    `  </CodeSystems>\n  <Organisations>\n`
  );
}

function scopeXml(): string {
  const primary = new Set(organisationKinds.flatMap((kind) => kind.primaryRoles));
  return releaseRoles
    .filter(([code]) => primary.has(code))
    .map(([code, name]) => `      <PrimaryRole id="RO${code}" displayName="${escapeXml(name)}"/>\n`)
    .join('');
}

const recordClasses = [
  ['1', 'HSCOrg'],
  ['2', 'HSCSite'],
] as const;

const relationships = [
  ['2', 'IS A SUB-DIVISION OF'],
  ['4', 'IS COMMISSIONED BY'],
  ['5', 'IS LOCATED IN THE GEOGRAPHY OF'],
  ['6', 'IS OPERATED BY'],
  ['8', 'IS PARTNER TO'],
  ['9', 'IS NOMINATED PAYEE FOR'],
] as const;

function* encoded(text: Iterable<string>): Generator<Uint8Array, void, undefined> {
  for (const piece of text) yield Buffer.from(piece);
}

const usage = `Usage: node scripts/release/generate-release.ts --out FILE [options]
  --records N            Organisation elements in the full file (800)
  --archive N            Organisation elements in the archive file; 0 for none (0)
  --seed N               another seed, other organisations (1)
  --revision N           a later release of the same seed; some 2 % of it differ (0)
  --publication-date D   YYYY-MM-DD, 2025 or later (2026-08-28)
  --sequence N           PublicationSeqNum (1)
  --format zip|xml|xml.gz   (zip; a file over 4 GB must be xml or xml.gz)
`;

/** Throws an error that names a wrong option. */
function readOptions() {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean' },
      out: { type: 'string' },
      records: { type: 'string' },
      archive: { type: 'string' },
      seed: { type: 'string' },
      revision: { type: 'string' },
      sequence: { type: 'string' },
      'publication-date': { type: 'string' },
      format: { type: 'string', default: 'zip' },
    },
  });
  return values;
}

/** Reads the command line and writes the file; the exit code. */
async function runCommand(): Promise<number> {
  let values: ReturnType<typeof readOptions>;
  try {
    values = readOptions();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n${usage}`);
    return 2;
  }
  if (values.help === true) {
    process.stdout.write(usage);
    return 0;
  }
  const { out, format } = values;
  const publicationDate = values['publication-date'] ?? releaseDefaults.publicationDate;
  const options: ReleaseOptions = {
    records: Number(values.records ?? releaseDefaults.records),
    archive: Number(values.archive ?? releaseDefaults.archive),
    seed: Number(values.seed ?? releaseDefaults.seed),
    revision: Number(values.revision ?? releaseDefaults.revision),
    sequence: Number(values.sequence ?? releaseDefaults.sequence),
    publicationDate,
  };
  const { records, archive, seed, revision, sequence } = options;
  const areWhole = [records, archive, seed, revision, sequence].every(
    (number) => Number.isSafeInteger(number) && number >= 0,
  );
  const isDate = /^20(2[5-9]|[3-9]\d)-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/.test(publicationDate);
  const isFormat = format === 'zip' || format === 'xml' || format === 'xml.gz';
  if (out === undefined || !areWhole || !isDate || !isFormat) {
    process.stderr.write(usage);
    return 2;
  }
  await using file = await open(out, 'w');
  for await (const bytes of releaseBytes(options, format)) await file.write(bytes);
  process.stdout.write(
    `Wrote ${out}: a release of ${records.toLocaleString('en-GB')} invented organisations.\n`,
  );
  return 0;
}

if (import.meta.main) process.exitCode = await runCommand();
