/** The page of routes has the methods that the server names for each path. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describedServices } from '../../scripts/described-services.ts';
import { routesText } from '../../scripts/reference-routes.ts';
import { SOFTWARE } from '../../src/config/version.ts';
import { createHandle } from '../../src/fhir/handle.ts';
import { OPERATION_PATHS } from '../../src/server/monitoring/operation-server.ts';

const ROW = /^\| ([A-Z]+) \| `([^`]+)` \|/gm;

describe('the page of routes', () => {
  const { services, plainServices, web } = describedServices();
  const onFault = (error: unknown) => {
    throw error;
  };
  const handle = createHandle({ services, plainServices, software: SOFTWARE, onFault });
  const rows = [...routesText().matchAll(ROW)];
  const methodsByPath = Map.groupBy(rows, ([, , path = '']) => path);

  /** The methods that the server or its pages name for a path, without OPTIONS and HEAD. */
  async function allowedAt(path: string): Promise<string[]> {
    const asked = path.replaceAll('{number}', '1').replaceAll(/\{\w+\}/g, 'one');
    const request = { method: 'OPTIONS', path: asked, query: '', headers: {}, id: '' };
    const isPage = web.routeOf(asked) === path;
    const { headers } = await (isPage ? web.handle(request) : handle(request));
    const allow = headers[headers.indexOf('Allow') + 1] ?? '';
    return allow.split(', ').filter((method) => method !== 'OPTIONS' && method !== 'HEAD');
  }

  it('lists all pages, and the paths of health and metrics', () => {
    for (const path of [...web.routes.map((route) => route.path), ...OPERATION_PATHS]) {
      assert.ok(methodsByPath.has(path), path);
    }
  });

  for (const [path, listed] of methodsByPath) {
    // A page and the base of the order service share the path `/`.
    if (path === '/' || OPERATION_PATHS.some((other) => other === path)) continue;
    it(`lists the methods of ${path}`, async () => {
      const methods = listed.map(([, method]) => method);
      assert.deepEqual(methods.sort(), (await allowedAt(path)).sort());
    });
  }
});
