/** Reads a file of organisations. The first bytes show whether it is a release, FHIR or changes. */

import type { TopUp } from '../../directory/import/top-up.ts';
import { type KnownRecords, SourceError } from '../../directory/record/source.ts';
import type { DirectorySettings } from '../../interfaces/answer/settings.ts';
import { startOf } from '../archive/opening.ts';
import { understoodUris } from '../fhir/organization-record.ts';
import { readFhir } from '../fhir/read-fhir.ts';
import type { FhirForm } from '../fhir/read-resources.ts';
import { readOrd } from '../ord/read-ord.ts';
import { readR4 } from '../r4/read-r4.ts';
import { type ReleaseDocument, readRelease } from '../release-file/read-release.ts';
import { type ReadReleaseFileOptions, readReleaseFile } from '../release-file/read-release-file.ts';
import { quoted } from '../text/source-text.ts';

export interface ReadSourceOptions extends ReadReleaseFileOptions {
  /** The reader accepts the URIs of each of these settings in FHIR. */
  readonly settings: readonly DirectorySettings[];
  /** The last change of Organizations that do not state one. */
  readonly now: Date;
  /** Receives the contents of a file with changes. */
  readonly topUp: TopUp;
  /** Records of releases that need not be read again. */
  readonly known?: KnownRecords | undefined;
}

/** The services that answer with changes, and the form of their answers. */
interface ChangesForm {
  readonly service: 'ord' | 'r4';
  readonly isXml: boolean;
}

/**
 * Pushes the contents of the file to the receiver. Throws a SourceError if the file cannot be
 * imported; the receiver must then discard everything.
 */
export async function readSource(options: ReadSourceOptions): Promise<void> {
  const { receiver, topUp, now, known } = options;
  await readReleaseFile(options, async (document) => {
    const { start, whole } = await withStart(document);
    const changes = topUpForm(start);
    if (changes !== undefined) {
      topUp.files.push(document.name);
      await readChanges(whole, changes, options);
      return undefined;
    }
    const form = fhirForm(start, document.name);
    if (form === undefined)
      return await readRelease(whole, receiver, { topUp, parallel: { known } });
    if (form !== 'xml') requireFhirJson(start, document.name);
    const uris = understoodUris(options.settings);
    await readFhir(whole, { receiver, form, uris, now });
    return undefined;
  });
}

async function readChanges(
  document: ReleaseDocument,
  { service, isXml }: ChangesForm,
  { topUp, now }: ReadSourceOptions,
): Promise<void> {
  if (service === 'r4') await readR4(document, isXml ? 'xml' : 'json', topUp);
  else {
    const today = now.toISOString().slice(0, 10);
    await readOrd(document, { form: isXml ? 'xml' : 'json', topUp, today });
  }
}

/** Records of ORD, and resources of the national R4 service. Undefined for any other start. */
function topUpForm(start: string): ChangesForm | undefined {
  const text = start.replace(/^\uFEFF/, '').trimStart();
  const isXml = text.startsWith('<');
  const [, rootName = ''] = ROOT_PATTERN.exec(text) ?? [];
  if (isXml && /^(?:[\w.-]+:)?Organisation$/.test(rootName)) return { service: 'ord', isXml };
  if (!isXml && /^[[{\s]*"Organisations?"\s*:/.test(text)) return { service: 'ord', isXml };
  const isFhir = isXml ? fhirRoot.test(rootName) : /^[[{]/.test(text);
  return isFhir && ENGLAND.test(text) ? { service: 'r4', isXml } : undefined;
}

/** Only resources of the national R4 service have profiles and extensions with these URLs. */
const ENGLAND =
  /fhir\.nhs\.uk\/England\/|OrganizationAffiliation|\bOrganization-(?:role-|succession-)?deletion/;

/** The form of FHIR that the start of a text shows; undefined for a possible release. */
export function fhirForm(start: string, fileName: string): FhirForm | undefined {
  const text = start.replace(/^\uFEFF/, '').trimStart();
  if (text.startsWith('<')) {
    const [, rootName] = ROOT_PATTERN.exec(text) ?? [];
    return rootName !== undefined && fhirRoot.test(rootName) ? 'xml' : undefined;
  }
  if (/\.(?:ndjson|jsonl)(?:\.gz)?$/i.test(fileName)) return 'ndjson';
  return /^[{[]/.test(text) ? 'json' : undefined;
}

/** The start of the file helps to recognise an error answer that was saved in place of the file. */
function requireFhirJson(start: string, fileName: string): void {
  if (start.length >= START_BYTES || start.includes('"resourceType"') || start.trim() === '')
    return;
  throw new SourceError(
    `${fileName} is JSON, but not a FHIR resource: it begins with ${quoted(start)}. If this is the ` +
      'error answer of a server, fetch the file again. Otherwise, give a release or STU3 ' +
      'Organizations.',
  );
}

const fhirRoot = /^(?:[\w.-]+:)?(?:Bundle|Organization|OrganizationAffiliation|List)$/;

/** Declaration, comments and instructions, and the name of the root element. */
const ROOT_PATTERN = /^(?:<\?[^>]*>\s*|<!--(?:[^-]|-(?!->))*-->\s*)*<([^\s/>!?]+)/;

/** Returns the start of a document as text, and a document that still includes it. */
async function withStart(
  document: ReleaseDocument,
): Promise<{ readonly start: string; readonly whole: ReleaseDocument }> {
  const { start, chunks } = await startOf(chunksOf(document), START_BYTES);
  return { start: start.toString('utf8', 0, START_BYTES), whole: { ...document, chunks } };
}

/** Long enough for the root element after one or two comments. */
const START_BYTES = 4096;

async function* chunksOf({ chunks }: ReleaseDocument): AsyncGenerator<Uint8Array, void, undefined> {
  yield* chunks;
}
