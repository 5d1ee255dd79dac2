/** Public clients of the retired service, each with both STU3 interfaces of one server. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { importedSample } from '../imported-sample.ts';
import { type Owner, ownerOfSuite } from '../owner.ts';
import { readPage, rowsUnder } from '../tidy/markdown.ts';
import { PUBLIC_CLIENTS } from './clients/public-clients.ts';
import { serve } from './program.ts';

const PATHS = { STU3: '/STU3', legacy: '/legacy/STU3' } as const;

describe('one server serves the public clients of the retired service', () => {
  const owner = ownerOfSuite();
  let origin: string;
  before(async () => {
    origin = await startServer(owner);
  });

  for (const { name, worksWith, otherwise, run, reads } of PUBLIC_CLIENTS) {
    for (const [form, path] of Object.entries(PATHS)) {
      const works = worksWith.some((each) => each === form);
      it(`${name}: with ${path} it ${works ? 'reads what it needs' : `has ${otherwise}`}`, async () => {
        const answer = run(origin + path);
        if (works) assert.deepEqual(await answer, reads);
        else if (otherwise === 'an error') await assert.rejects(answer);
        else assert.notDeepEqual(await answer, reads);
      });
    }
  }

  it('most clients need the legacy form, and some of the others show no error', () => {
    const working = (form: 'STU3' | 'legacy') =>
      PUBLIC_CLIENTS.filter(({ worksWith }) => worksWith.includes(form)).length;
    assert.ok(working('legacy') > working('STU3'));
    assert.ok(PUBLIC_CLIENTS.some(({ otherwise }) => otherwise?.startsWith('wrong values')));
  });
});

it('the guide names each client and the interfaces that it works with', () => {
  const rows = rowsUnder(
    readPage('docs/how-to/move-a-client.md'),
    'client',
    'base address',
    'with the other address',
  );
  assert.deepEqual(
    rows,
    PUBLIC_CLIENTS.map(({ name, worksWith, otherwise = 'works' }) => [
      name,
      worksWith.map((form) => `\`{base}${PATHS[form]}\``).join(' or '),
      otherwise,
    ]),
  );
});

async function startServer(owner: Owner): Promise<string> {
  const data = await importedSample(owner);
  const { port } = await serve(owner, ['--threads', '1', '--data', data]);
  return `http://localhost:${port}`;
}
