/**
 * The directory (R4 or STU3) and order responses with the FHIR client fhir-kit-client, which a
 * checkout has: node examples/fhir-kit-client.mjs http://localhost:8080 data/token.txt R4
 */
import { readFileSync } from 'node:fs';
import { Client } from 'fhir-kit-client';

const [server = 'http://localhost:8080', tokenFile = 'data/token.txt', version = 'R4'] =
  process.argv.slice(2);

const directory = new Client({ baseUrl: `${server}/${version}` });
const trust = await directory.read({ resourceType: 'Organization', id: 'RTG' });
console.log('RTG is', trust.name);

let total = 0;
const searchParams = { 'name:contains': 'leeds', active: 'true', _count: '5' };
let bundle = await directory.search({ resourceType: 'Organization', searchParams });
while (bundle !== undefined) {
  total += bundle.entry.length;
  bundle = await directory.nextPage({ bundle });
}
console.log('Active organisations with leeds in the name:', total);

const orders = new Client({
  baseUrl: server,
  bearerToken: readFileSync(tokenFile, 'utf8').trim(),
  customHeaders: { accept: 'application/json+fhir', 'content-type': 'application/json+fhir' },
});
const review = JSON.parse(readFileSync(new URL('order-response.json', import.meta.url), 'utf8'));
const created = await orders.create({
  resourceType: 'OrderResponse',
  body: review,
  options: { headers: { prefer: 'return=representation' } },
});
console.log('Created', created.resourceType, 'with the status', created.orderStatus);

try {
  await orders.read({ resourceType: 'OrderResponse', id: 'none' });
} catch ({ response }) {
  console.log(response.status, response.data.issue[0].diagnostics);
}
