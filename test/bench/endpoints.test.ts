/** The benchmark of the dearest answers has a case for each endpoint of a server. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { requireAnswers } from '../../bench/worst/endpoints/asked.ts';
import { EXAMPLE_FACTS } from '../../bench/worst/endpoints/case.ts';
import { casesOf } from '../../bench/worst/endpoints/cases.ts';
import { describedServices } from '../../scripts/described-services.ts';
import { namesOfRoutes } from '../../scripts/server-routes.ts';

it('each endpoint has a case, and each case an endpoint', () => {
  const cases = casesOf(EXAMPLE_FACTS);
  const described = describedServices();
  assert.deepEqual(Object.keys(cases).sort(), [...new Set(namesOfRoutes(described))].sort());
  described.web.close();
});

it('a case names the path of its endpoint, with values for its parameters', () => {
  const cases = casesOf(EXAMPLE_FACTS);
  for (const [name, { path }] of Object.entries(cases)) {
    const [, endpoint = ''] = name.split(' ');
    const pattern = endpoint.replaceAll(/[$.]/g, '\\$&').replaceAll(/\{path\}/g, '.+');
    const values = new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
    assert.match(path ?? endpoint, values, name);
    assert.doesNotMatch(path ?? endpoint, /[{}]/, name);
  }
});

it('an answer with another status than that of its case ends the benchmark, by its name', async () => {
  const asking = (name: string, answered: number, status = 200) => ({
    name,
    status,
    prepare: async () => {},
    ask: async () => ({ status: answered, bytes: 9, text: 'No \n postcodes.' }),
  });
  await requireAnswers([asking('GET /a', 200), asking('POST /b', 201, 201)]);
  await assert.rejects(
    requireAnswers([asking('GET /a', 400), asking('GET /b', 200), asking('POST /c', 200, 201)]),
    {
      message:
        'GET /a answered 400 instead of 200: No postcodes.\n' +
        'POST /c answered 200 instead of 201: No postcodes.',
    },
  );
});
