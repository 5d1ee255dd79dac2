/** What a server answers about stored data, in a form that can be compared later. */

/** The public address that the recorded links begin with. */
export const BASE_URL = 'https://orders.example';

export interface RecordedAnswer {
  readonly path: string;
  readonly accept: string;
  readonly status: number;
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** The id of a history, which is random, is left out; and what an error says, which changes. */
  readonly body: string;
}

/** Every version and the history of each resource, in both formats. */
export async function recordAnswers(
  origin: string,
  token: string,
  resources: Readonly<Record<string, number>>,
): Promise<RecordedAnswer[]> {
  const answers: RecordedAnswer[] = [];
  for (const [id, versions] of Object.entries(resources)) {
    const numbers = Array.from({ length: versions }, (_, at) => `/_history/${at + 1}`);
    for (const end of ['', ...numbers, '/_history', '/_history?_count=2&_before=3']) {
      for (const accept of ['application/json+fhir', 'application/xml+fhir']) {
        answers.push(await answerOf(origin, token, `/OrderResponse/${id}${end}`, accept));
      }
    }
  }
  return answers;
}

async function answerOf(
  origin: string,
  token: string,
  path: string,
  accept: string,
): Promise<RecordedAnswer> {
  const headers = { authorization: `Bearer ${token}`, accept };
  const answer = await fetch(origin + path, { headers });
  const text = await answer.text();
  return {
    path,
    accept,
    status: answer.status,
    etag: answer.headers.get('etag'),
    lastModified: answer.headers.get('last-modified'),
    body: !answer.ok ? '' : path.includes('/_history') ? text.replace(BUNDLE_ID, '$1') : text,
  };
}

const BUNDLE_ID = /(<Bundle [^>]*><id value="|^{"resourceType":"Bundle","id":")[0-9a-f-]{36}/;

export interface RecordedSearch {
  readonly path: string;
  readonly status: number;
  readonly total?: number;
  /** The resource that was read, or those that the search found. */
  readonly resources: readonly unknown[];
}

const DIRECTORY_PATHS = [
  '/STU3/Organization/A1',
  '/STU3/Organization/C3',
  '/STU3/Organization?name=ward',
  '/STU3/Organization?name%3Acontains=ard&active=true',
  '/STU3/Organization?_lastUpdated=gt2000-01-01',
];

/** Reads and searches of the directory. */
export async function recordDirectory(origin: string): Promise<RecordedSearch[]> {
  const recorded: RecordedSearch[] = [];
  for (const path of DIRECTORY_PATHS) recorded.push(await recordSearch(origin, '', path));
  return recorded;
}

export async function recordSearch(
  origin: string,
  token: string,
  path: string,
): Promise<RecordedSearch> {
  const authorization = token === '' ? {} : { authorization: `Bearer ${token}` };
  const answer = await fetch(origin + path, {
    headers: { accept: 'application/json+fhir', ...authorization },
  });
  const body: {
    resourceType: string;
    total?: number;
    entry?: { resource: unknown }[];
  } = Object(await answer.json());
  return {
    path,
    status: answer.status,
    ...(body.total !== undefined && { total: body.total }),
    resources: body.resourceType === 'Bundle' ? (body.entry ?? []).map((e) => e.resource) : [body],
  };
}
