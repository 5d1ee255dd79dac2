/** The directory of an edition as a library: reads, searches and questions without a server. */

import { SOFTWARE } from '../config/version.ts';
import { allChanges } from '../directory/ask/events/changes.ts';
import type { EventFilter } from '../directory/ask/events/event-filter.ts';
import { findNear } from '../directory/ask/find-near.ts';
import type { Edition } from '../directory/edition/edition.ts';
import { type EditionHistory, NO_HISTORY } from '../directory/edition/edition-store.ts';
import { pastedCode } from '../directory/edition/source-record.ts';
import { dayPeriod } from '../directory/record/day.ts';
import { dayOf } from '../directory/record/in-force.ts';
import { createHandle, type Handle } from '../fhir/handle.ts';
import { FhirError } from '../fhir/request/fhir-error.ts';
import type { FhirRequest } from '../fhir/request/request.ts';
import type { DirectorySettings } from '../interfaces/answer/settings.ts';
import { readEventFilter } from '../interfaces/events/parameters.ts';
import type { DirectoryFace } from '../interfaces/faces/face.ts';
import { serveFace } from '../interfaces/faces/rendered-edition.ts';
import { MATCH } from '../interfaces/questions/match-question.ts';
import { POSTCODES } from '../interfaces/questions/postcode-question.ts';
import { openQuestion, type Question, type QuestionRow } from '../interfaces/questions/question.ts';
import { HIERARCHY, RESOLVE } from '../interfaces/questions/questions.ts';
import { DIRECTORY_FACES } from '../interfaces/served-faces.ts';
import { createDirectoryService } from '../interfaces/service.ts';
import {
  type Directory,
  DirectoryError,
  type SearchBundle,
  type WantedEvents,
} from './directory.ts';
import type { FhirVersionName, Organization } from './organization.ts';

export interface DirectoryForm {
  readonly settings: DirectorySettings;
  readonly fhirVersion: FhirVersionName;
  /** The address in links and references, without a slash at the end. */
  readonly serverUrl: string;
  /** Of the edition. Without it, other names and addresses are not known. */
  readonly history?: EditionHistory;
}

/** `Version` is that of the options. Throws a RangeError for one that the directory does not have. */
export function openDirectory<Version extends FhirVersionName>(
  edition: Edition,
  { settings, fhirVersion, serverUrl, history = NO_HISTORY }: DirectoryForm,
): Directory<Version> {
  const face = faceOf(fhirVersion);
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
    row: QuestionRow,
    on?: string,
  ): Promise<Answer> => {
    if (on !== undefined && dayPeriod(on) === undefined) {
      throw new RangeError(`The day must be a date YYYY-MM-DD. Got "${on}".`);
    }
    const day = on ?? dayOf(new Date());
    const opened = openQuestion(question, edition, day);
    const answer = await opened.catch((error: unknown) => {
      throw asRangeError(error);
    });
    return answer(row);
  };
  return {
    search,
    resolve: (code, on) => ask(RESOLVE, { code }, on),
    hierarchy: (code, on) => ask(HIERARCHY, { code }, on),
    match: (name, on) => ask(MATCH, typeof name === 'string' ? { name } : { ...name }, on),
    near: async (place, options) => findNear(edition, place, options),
    events: async function* (wanted) {
      yield* asRangeErrors(allChanges(edition, filterOf(edition, wanted), history));
    },
    postcode: (postcode, on) => ask(POSTCODES, { postcode }, on),
    all: (query = '') => pagesOf(search, query),
    read: async (asked) => {
      const code = pastedCode(asked);
      if (!FHIR_ID.test(code)) return undefined;
      const { status, json } = await get(handle, faults, `${pathname}/${code}`, '');
      return status === 404 ? undefined : accepted(status, json);
    },
  };
}

/** Throws a RangeError for a version that the directory does not have. */
export function faceOf(fhirVersion: string): DirectoryFace {
  const face = DIRECTORY_FACES.find(({ version }) => version.name === fhirVersion);
  if (face !== undefined) return face;
  throw new RangeError(`fhirVersion must be STU3 or R4. Got "${fhirVersion}".`);
}

function filterOf(edition: Edition, wanted: WantedEvents): EventFilter {
  try {
    return readEventFilter(edition, wanted);
  } catch (error) {
    throw asRangeError(error);
  }
}

/** Whether an edition is kept is known only when the events are read. */
async function* asRangeErrors<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item, void> {
  try {
    yield* items;
  } catch (error) {
    throw asRangeError(error);
  }
}

function asRangeError(error: unknown): unknown {
  return error instanceof FhirError ? new RangeError(error.issues[0].diagnostics) : error;
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
