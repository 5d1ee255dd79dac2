/**
 * The directory as a library: imports release files into memory, and reads and searches them without
 * a server. The entry of the npm package. Its exports are the public interface.
 */
import { tmpdir } from 'node:os';
import { loadConfig } from '../config/load-config.ts';
import { sectionOf } from '../config/section.ts';
import type { Question } from '../directory/codes/question.ts';
import { HIERARCHY, RESOLVE } from '../directory/codes/questions.ts';
import { buildEdition } from '../directory/edition/build-edition.ts';
import { type Edition, openEdition } from '../directory/edition/edition.ts';
import { DIRECTORY_FACES } from '../directory/faces.ts';
import { createCollector } from '../directory/import/collector.ts';
import { SourceError } from '../directory/import/source.ts';
import { TopUp } from '../directory/import/top-up.ts';
import { serveFace } from '../directory/served-face.ts';
import { createDirectoryService } from '../directory/service.ts';
import type { Belonging, ResolvedCode } from '../directory/time/answers.ts';
import { dayPeriod } from '../directory/time/day.ts';
import { dayOf } from '../directory/time/in-force.ts';
import { createHandle, type Handle } from '../fhir/service/handle.ts';
import type { FhirRequest } from '../fhir/service/request.ts';
import { readSource } from '../sources/read-source.ts';
import { isNodeEnough, NODE_MIN, SOFTWARE } from '../version.ts';
import type { FhirResource, FhirVersionName, Organization, R4Affiliation } from './organization.ts';

export type * from '../directory/time/answers.ts';
export type * from './organization.ts';

if (!isNodeEnough(process.versions.node)) {
  throw new Error(`gazetteer-fhir needs Node ${NODE_MIN} or newer. This is ${process.version}.`);
}

export interface DirectoryOptions<Version extends FhirVersionName = FhirVersionName> {
  /** The path of a release file, or several paths: every kind of whole file that `gazetteer import` reads. */
  readonly release: string | readonly string[];
  /** Whether to import the archive of closed records too. Default: false. */
  readonly includeArchive?: boolean;
  /** The FHIR version of the resources. Default: STU3. */
  readonly fhirVersion?: Version;
  /** The address in links and references, without a slash at the end. Default: `http://localhost:8080`. */
  readonly serverUrl?: string;
}

export interface Directory<Version extends FhirVersionName = 'STU3'> {
  /** The Organization with this code; undefined if there is none. Rejects with a `DirectoryError`. */
  read(code: string): Promise<Organization<Version> | undefined>;
  /**
   * Searches Organizations. Rejects with a `DirectoryError` if the search is not valid.
   *
   * @param query the query of a search URL, such as `name=leeds&_count=5`, or the URL of a `next` link
   */
  search(query: string): Promise<SearchBundle<Version>>;
  /**
   * All Organizations that match, one after the other. It reads the pages of the search as they are
   * needed. Without a query: the whole directory.
   */
  all(query?: string): AsyncGenerator<Organization<Version>, void>;
  /**
   * The codes that are in use on a day in place of this one. Rejects with a RangeError if the day is
   * not a date.
   *
   * @param on the day, `YYYY-MM-DD`. Default: today in England
   */
  resolve(code: string, on?: string): Promise<ResolvedCode>;
  /** What the organisation belongs to on a day, from the nearest level upwards. */
  hierarchy(code: string, on?: string): Promise<Belonging>;
}

/** A Bundle of the type `searchset`. */
export interface SearchBundle<Version extends FhirVersionName = 'STU3'> extends FhirResource {
  readonly resourceType: 'Bundle';
  /** The number of all matches. */
  readonly total: number;
  readonly link: readonly { readonly relation: string; readonly url: string }[];
  /** The matches of one page; absent if there are none. */
  readonly entry?: readonly { readonly fullUrl: string; readonly resource: Found<Version> }[];
}

type Found<Version extends FhirVersionName> =
  | Organization<Version>
  | (Version extends 'R4' ? R4Affiliation : never);

/** The directory refused a read or a search. The message names the problem and the remedy. */
export class DirectoryError extends Error {
  override readonly name = 'DirectoryError';
  /** The HTTP status that a server would answer with. */
  readonly status: number;
  readonly outcome: FhirResource;

  constructor(message: string, status: number, outcome: FhirResource) {
    super(message);
    this.status = status;
    this.outcome = outcome;
  }
}

/** Rejects with an error that names the file and the problem if a file cannot be imported. */
export async function createDirectory<Version extends FhirVersionName = 'STU3'>(
  options: DirectoryOptions<Version>,
): Promise<Directory<Version>> {
  if (options?.release === undefined) {
    throw new TypeError('createDirectory needs the path of a release file: { release: FILE }.');
  }
  const { fhirVersion = 'STU3', serverUrl = 'http://localhost:8080' } = options;
  const face = DIRECTORY_FACES.find(({ version }) => version.name === fhirVersion);
  if (face === undefined) {
    throw new RangeError(`fhirVersion must be STU3 or R4. Got "${fhirVersion}".`);
  }
  const settings = sectionOf(loadConfig({ flags: {}, environment: {} }), 'directory');
  const edition = await importRelease(options, settings);
  const served = serveFace(face, { settings, serverUrl });
  const editions = {
    current: () => edition,
    byNumber: (number: number) => (number === edition.number ? edition : undefined),
  };
  const faults = new WeakMap<FhirRequest, unknown>();
  const handle = createHandle({
    services: [createDirectoryService(served, editions)],
    software: SOFTWARE,
    onFault: (error, request) => faults.set(request, error),
  });
  const organizations = `${served.baseUrl}/Organization`;
  const { pathname } = new URL(organizations);
  const search = async (query: string): Promise<SearchBundle<Version>> => {
    const ofPage = query.startsWith(`${organizations}?`);
    const text = ofPage ? query.slice(organizations.length + 1) : query;
    const { status, json } = await get(handle, faults, pathname, text);
    return accepted(status, json);
  };
  const ask = async <Answer extends object>(
    question: Question<Answer>,
    code: string,
    on?: string,
  ): Promise<Answer> => {
    if (on !== undefined && dayPeriod(on) === undefined) {
      throw new RangeError(`The day must be a date YYYY-MM-DD. Got "${on}".`);
    }
    if (!edition.hasRelations) throw new RangeError('The release has no relationships.');
    const answer = await question.open(edition, on ?? dayOf(new Date()));
    return answer({ code });
  };
  return {
    search,
    resolve: (code, on) => ask(RESOLVE, code, on),
    hierarchy: (code, on) => ask(HIERARCHY, code, on),
    all: (query = '') => pagesOf(search, query),
    read: async (code) => {
      if (!FHIR_ID.test(code)) return undefined;
      const { status, json } = await get(handle, faults, `${pathname}/${code}`, '');
      return status === 404 ? undefined : accepted(status, json);
    },
  };
}

/** The Organizations of all pages of a search. */
async function* pagesOf<Version extends FhirVersionName>(
  search: Directory<Version>['search'],
  query: string,
): AsyncGenerator<Organization<Version>, void> {
  for (let page: string | undefined = query; page !== undefined; ) {
    const { entry = [], link }: SearchBundle<Version> = await search(page);
    for (const { resource } of entry) {
      if (resource.resourceType === 'Organization') yield resource as Organization<Version>;
    }
    page = link.find(({ relation }) => relation === 'next')?.url;
  }
}

/** Other texts would be parts of a path. */
const FHIR_ID = /^[A-Za-z0-9.-]{1,64}$/;

async function importRelease(
  { release, includeArchive = false }: DirectoryOptions,
  settings: Parameters<typeof serveFace>[1]['settings'],
): Promise<Edition> {
  const files = [release].flat();
  const collector = createCollector(() => {});
  const topUp = new TopUp(collector);
  const now = new Date();
  for (const file of files) {
    await readSource({
      file,
      includeArchive,
      temporaryFolder: tmpdir(),
      settings: [settings],
      receiver: collector,
      topUp,
      now,
    });
  }
  const [changes] = topUp.files;
  if (changes !== undefined) {
    throw new SourceError(
      `${changes} has changes only. Give a release file of the whole directory.`,
    );
  }
  const collected = collector.finish();
  if (collected.ordinals.full.length === 0) {
    throw new SourceError(`${files.join(', ')} has no organisation that can be imported.`);
  }
  const hasRelations = collected.manifests.every((manifest) => manifest.hasRelations === true);
  const arrays = buildEdition({ ...collected, hasRelations });
  return openEdition({ number: 1, publishedAt: now.toISOString() }, arrays);
}

interface Answer {
  readonly status: number;
  readonly json: ReturnType<typeof JSON.parse>;
}

/** Throws a fault of the program, and refuses a query that asks for XML. */
async function get(
  handle: Handle,
  faults: WeakMap<FhirRequest, unknown>,
  path: string,
  query: string,
): Promise<Answer> {
  const request: FhirRequest = { method: 'GET', path, query, headers: {}, id: 'library' };
  const { status, body = '{}', format, release, pieces } = await handle(request);
  if (faults.has(request)) throw faults.get(request);
  const bytes = pieces === undefined ? body : Buffer.concat(await Array.fromAsync(pieces));
  const text = typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString('utf8');
  if (typeof body !== 'string') release?.(body);
  if (format === 'xml') {
    throw new RangeError('The answer of a search is an object. Leave out the parameter _format.');
  }
  return { status, json: JSON.parse(text) };
}

function accepted(status: number, json: Answer['json']): Answer['json'] {
  if (status === 200) return json;
  const { diagnostics } = json.issue[0];
  throw new DirectoryError(diagnostics, status, json);
}
