/** The directory as `fhirclient` (SMART on FHIR) sees it: https://docs.smarthealthit.org/client-js/ */
import assert from 'node:assert/strict';
import { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { Socket } from 'node:net';
import { it } from 'node:test';
import { serveSample } from './serve-sample.ts';

/** What is used of the package here: its types come only with `npm run test:clients`. */
type Smart = (
  request: IncomingMessage,
  response: ServerResponse,
) => { client(server: string): SmartClient };
interface SmartClient {
  request(address: string, options?: object): Promise<unknown>;
  getFhirVersion(): Promise<string>;
}

const smart: Smart = createRequire(import.meta.url)('fhirclient');

it('fhirclient learns the version, reads, pages and hears of errors', async (context) => {
  const directory = await serveSample(context);
  const request = new IncomingMessage(new Socket());
  const client = smart(request, new ServerResponse(request)).client(directory);

  // Not the release: its own table of versions knows STU3 up to 3.0.1.
  await context.test('learns the version from metadata', async () => {
    assert.equal(await client.getFhirVersion(), '3.0.2');
  });

  await context.test('reads an organisation', async () => {
    const { id, identifier }: Organization = Object(await client.request('Organization/RTG'));
    assert.equal(id, 'RTG');
    assert.equal(identifier[0]?.value, 'RTG');
  });

  await context.test('collects all pages of a search', async () => {
    const query = 'ods-org-role=76&ods-org-role=177';
    const { total }: { total: number } = Object(
      await client.request(`Organization?${query}&_summary=count`),
    );
    const found = await client.request(`Organization?${query}`, { pageLimit: 0, flat: true });
    assert.ok(Array.isArray(found) && found.length > 20, 'more than a page');
    assert.equal(new Set(found.map(({ id }) => id)).size, total);
  });

  await context.test('gets the status and diagnostics of a refused request', async () => {
    const cases: readonly (readonly [address: string, status: number, says: RegExp])[] = [
      ['Organization/NOPE', 404, /No record found for supplied ODS code/],
      ['Organization?name=ab', 400, /Supplied name needs a minimum of 3 Characters/],
    ];
    for (const [address, status, says] of cases) {
      await assert.rejects(client.request(address), (error: Error & { status?: number }) => {
        assert.match(error.message, says);
        return error.status === status;
      });
    }
  });
});

interface Organization {
  readonly id: string;
  readonly identifier: readonly { readonly value: string }[];
}
