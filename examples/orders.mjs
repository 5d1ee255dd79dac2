/**
 * Creates an order response exactly once, updates it without overwriting the change of another
 * client, and lists its versions. Run it with Node 20 or newer:
 * node examples/orders.mjs http://localhost:8080 data/token.txt
 */
import { readFileSync } from 'node:fs';

const [server = 'http://localhost:8080', tokenFile = 'data/token.txt'] = process.argv.slice(2);
const token = readFileSync(tokenFile, 'utf8').trim();
const JSON_TYPE = 'application/json+fhir';
const ATTEMPTS = 5;

/**
 * Sends a request again if no answer came or the server was busy. This is safe, because each write
 * here has If-None-Exist or If-Match.
 */
async function send(method, url, { resource, ...headers } = {}) {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(url, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        accept: JSON_TYPE,
        ...(resource !== undefined && { 'content-type': JSON_TYPE }),
        ...headers,
      },
      ...(resource !== undefined && { body: JSON.stringify(resource) }),
      signal: AbortSignal.timeout(60_000),
    }).catch((error) => {
      if (attempt === ATTEMPTS) throw error;
    });
    const isBusy = response === undefined || response.status === 429 || response.status === 503;
    if (!isBusy || attempt === ATTEMPTS) return response;
    const seconds = Number(response?.headers.get('retry-after') ?? attempt);
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  }
}

/** The resource of an answer. The OperationOutcome of an error becomes the message. */
async function resourceOf(response) {
  const resource = await response.json();
  if (response.ok) return resource;
  const problems = (resource.issue ?? []).map(({ diagnostics, location = [] }) =>
    [...location, diagnostics].join(': '),
  );
  throw new Error(`${response.status}: ${problems.join(' ')}`);
}

/** Creates the resource, unless one with its identifier exists. Returns what is stored. */
async function createOnce(resource) {
  const [{ system, value }] = resource.identifier;
  const response = await send('POST', `${server}/OrderResponse`, {
    resource,
    'if-none-exist': `identifier=${encodeURIComponent(`${system}|${value}`)}`,
    prefer: 'return=representation',
  });
  return { status: response.status, stored: await resourceOf(response) };
}

/** Applies a change to the current version. Repeats it if another client was faster. */
async function update(id, change) {
  const url = `${server}/OrderResponse/${id}`;
  for (let attempt = 1; ; attempt++) {
    const current = await send('GET', url);
    const resource = change(await resourceOf(current));
    const response = await send('PUT', url, { resource, 'if-match': current.headers.get('etag') });
    if (response.status !== 409 || attempt === ATTEMPTS) {
      await resourceOf(response);
      return response.headers.get('etag');
    }
  }
}

const review = JSON.parse(readFileSync(new URL('order-response.json', import.meta.url), 'utf8'));
const identifier = [{ system: 'https://system.example', value: crypto.randomUUID() }];

const first = await createOnce({ ...review, identifier });
console.log('The first attempt is answered with', first.status);
const again = await createOnce({ ...review, identifier });
console.log('The second attempt is answered with', again.status);
console.log('Both have the same id:', again.stored.id === first.stored.id);

const etag = await update(first.stored.id, (current) => ({ ...current, orderStatus: 'cancelled' }));
console.log('The update made', etag);

const history = await resourceOf(
  await send('GET', `${server}/OrderResponse/${first.stored.id}/_history`),
);
console.log('Versions:', history.entry.map(({ resource }) => resource.orderStatus).join(', '));

try {
  await createOnce({ ...review, identifier: [{ ...identifier[0], value: '4712' }], date: 'today' });
} catch (error) {
  console.log(error.message);
}
