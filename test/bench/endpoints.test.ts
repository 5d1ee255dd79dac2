/** The benchmark of the dearest answers has a case for each endpoint of a server. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { casesOf } from '../../bench/worst/endpoints/cases.ts';
import { describedServices } from '../../scripts/described-services.ts';
import { namesOfRoutes } from '../../scripts/server-routes.ts';

it('each endpoint has a case, and each case an endpoint', () => {
  const cases = casesOf({ code: 'RTG', affiliation: '1', version: '1', order: 'a' });
  const described = describedServices();
  assert.deepEqual(Object.keys(cases).sort(), [...new Set(namesOfRoutes(described))].sort());
  described.web.close();
});

it('a case names the path of its endpoint, with values for its parameters', () => {
  const cases = casesOf({ code: 'RTG', affiliation: '1', version: '1', order: 'a' });
  for (const [name, { path }] of Object.entries(cases)) {
    const [, endpoint = ''] = name.split(' ');
    const pattern = endpoint.replaceAll(/[$.]/g, '\\$&').replaceAll(/\{path\}/g, '.+');
    const values = new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
    assert.match(path ?? endpoint, values, name);
    assert.doesNotMatch(path ?? endpoint, /[{}]/, name);
  }
});
