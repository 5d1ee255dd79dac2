/** The links of a search lead to its pages, also where it has as many parameters as it may. */
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { type DirectoryServer, startDirectory } from './directory-server.ts';

let server: DirectoryServer;
before(async () => {
  server = await startDirectory();
});
after(() => server.close());

it('a search of 50 parameters has links that can be followed', async () => {
  const query = Array.from({ length: 50 }, () => 'name:contains=LEEDS').join('&');
  const first = await bundleAt(`Organization?${query}&_count=1`);
  assert.equal(first.total, 2);
  const next = first.link.find(({ relation }) => relation === 'next');
  const second = await bundleAt(pathOf(next?.url));
  assert.equal(second.total, 2);
  const self = second.link.find(({ relation }) => relation === 'self');
  assert.equal((await bundleAt(pathOf(self?.url))).total, 2);
});

it('a search of 200 values has links that can be followed', async () => {
  const values = Array.from({ length: 198 }, (_, i) => `Z${i}`);
  const first = await bundleAt(`Organization?_id=RR8,RTG,${values}&_count=1`);
  assert.equal(first.total, 2);
  const next = first.link.find(({ relation }) => relation === 'next');
  assert.equal((await bundleAt(pathOf(next?.url))).total, 2);
});

it('a parameter that links add counts where it is repeated', async () => {
  const query = Array.from({ length: 52 }, () => '_page=1').join('&');
  const { status, text } = await server.get(`Organization?${query}`);
  assert.equal(status, 400);
  assert.match(text, /More than 50 parameters were supplied/);
});

interface Bundle {
  readonly total: number;
  readonly link: readonly { readonly relation: string; readonly url: string }[];
}

async function bundleAt(path: string): Promise<Bundle> {
  const { status, text } = await server.get(path);
  assert.equal(status, 200, text);
  return JSON.parse(text);
}

function pathOf(url = ''): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}
