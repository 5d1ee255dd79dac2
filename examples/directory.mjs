/**
 * Looks a code up, reads every page of a search, and keeps a copy of the directory current, with
 * FHIR R4 or STU3. Run it with Node 20 or newer:
 * node examples/directory.mjs http://localhost:8080 R4
 */
const [server = 'http://localhost:8080', version = 'R4'] = process.argv.slice(2);
const base = `${server}/${version}`;
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

/** Everything that changed after `lastRead`, or the whole directory. Only R4 lists deletions. */
async function copyWithR4(copy, lastRead) {
  let newest = lastRead ?? '';
  const parameters = lastRead === undefined ? {} : { _lastUpdated: `gt${lastRead}` };
  for await (const organization of search({ ...parameters, _count: '1000' })) {
    copy.set(organization.id, organization);
    const { lastUpdated } = organization.meta;
    if (lastUpdated > newest) newest = lastUpdated;
  }
  const deleted = await resourceOf(await get(`${base}/List/Organization-deletion`));
  for (const { item } of deleted.entry ?? []) copy.delete(item.identifier.value);
  return newest;
}

/** With STU3: the whole directory, one organisation on each line. Undefined if it has not changed. */
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

// A 404 means an unknown code only where the address of the interface is right.
try {
  await resourceOf(await get(`${base}/metadata`));
} catch (error) {
  console.error(`${base} does not answer as a FHIR directory: ${error.cause ?? error.message}`);
  process.exit(1);
}

console.log('RTG is', (await lookUp('RTG'))?.name ?? 'unknown');
console.log('NONE is known:', (await lookUp('NONE')) !== undefined);

const matches = [];
for await (const match of search({ 'name:contains': 'leeds', active: 'true', _count: '5' })) {
  matches.push(match);
}
console.log('Active organisations with leeds in the name:', matches.length);

try {
  await resourceOf(await get(`${base}/Organization?active=perhaps`));
} catch (error) {
  console.log(error.message);
}

if (version === 'R4') {
  // Get everything once, and then what has changed since.
  const copy = new Map();
  const lastRead = await copyWithR4(copy, undefined);
  console.log('Copied', copy.size, 'organisations');
  const isCurrent = (await copyWithR4(copy, lastRead)) === lastRead;
  console.log(isCurrent ? 'The copy is current' : 'The copy has changed');
} else {
  // Download everything each day. With the entity tag, an answer without changes has no body.
  const { copy, etag } = await download();
  console.log('Copied', copy.size, 'organisations');
  const isCurrent = (await download(etag)) === undefined;
  console.log(isCurrent ? 'The copy is current' : 'The copy has changed');
}
