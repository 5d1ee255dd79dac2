/**
 * Looks a code up, reads every page of a search, and keeps a copy of the directory current.
 * Run it with Node 20 or newer: node examples/directory.mjs http://localhost:8080
 */
const [server = 'http://localhost:8080'] = process.argv.slice(2);
const base = `${server}/STU3`;
const ATTEMPTS = 5;

/** Sends a request again if the server was busy, after the time that the server names. */
async function get(url, headers = {}) {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(url, {
      headers: { accept: 'application/fhir+json', ...headers },
      signal: AbortSignal.timeout(30_000),
    });
    const isBusy = response.status === 429 || response.status === 503;
    if (!isBusy || attempt === ATTEMPTS) return response;
    const seconds = Number(response.headers.get('retry-after') ?? attempt);
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  }
}

/** The resource of an answer. The OperationOutcome of an error becomes the message. */
async function resourceOf(response) {
  const resource = await response.json();
  if (response.ok) return resource;
  const problems = (resource.issue ?? []).map(({ diagnostics }) => diagnostics);
  throw new Error(`${response.status}: ${problems.join(' ')}`);
}

/** Undefined if there is no organisation with this code. */
async function lookUp(code) {
  const response = await get(`${base}/Organization/${encodeURIComponent(code)}`);
  return response.status === 404 ? undefined : resourceOf(response);
}

/** Every match, from page to page. The link to the next page already has all parameters. */
async function* search(parameters) {
  let url = `${base}/Organization?${new URLSearchParams(parameters)}`;
  while (url !== undefined) {
    const { entry = [], link } = await resourceOf(await get(url));
    for (const { resource } of entry) yield resource;
    url = link.find(({ relation }) => relation === 'next')?.url;
  }
}

/** The whole directory, one organisation on each line. Undefined if the copy is still current. */
async function download(etag) {
  const headers = etag === undefined ? {} : { 'if-none-match': etag };
  const response = await get(`${server}/editions/current.ndjson`, headers);
  if (response.status === 304) return undefined;
  if (!response.ok) throw new Error(`${response.status}: no download`);
  const lines = (await response.text()).trimEnd().split('\n');
  const organizations = lines.map((line) => JSON.parse(line));
  return {
    etag: response.headers.get('etag'),
    copy: new Map(organizations.map((organization) => [organization.id, organization])),
  };
}

console.log('RTG is', (await lookUp('RTG')).name);
console.log('NONE is known:', (await lookUp('NONE')) !== undefined);

const matches = [];
for await (const match of search({ 'name:contains': 'leeds', active: 'true', _count: '5' })) {
  matches.push(match);
}
console.log('Active organisations with leeds in the name:', matches.length);

try {
  await resourceOf(await get(`${base}/Organization?name=ab`));
} catch (error) {
  console.log(error.message);
}

// Download the directory once, and then apply what has changed since a date.
const { copy, etag } = await download();
console.log('Copied', copy.size, 'organisations');
for await (const organization of search({ _lastUpdated: 'gt2026-05-31', _count: '20' })) {
  copy.set(organization.id, organization);
}
// A search for changes does not find removed organisations, so download the directory sometimes.
// With the entity tag, the server answers 304 without a body if nothing has changed.
console.log(
  (await download(etag)) === undefined ? 'The copy is current' : 'There is a new edition',
);
