/** Every page by the Nu Html Checker: https://validator.github.io/validator/ */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ownerOfSuite } from '../owner.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { ALL_ADDRESSES, startEveryPage } from './every-page.ts';
import { HTML } from './page-cases.ts';

const INSTALLED = '../../node_modules/vnu-jar/build/dist/vnu.jar';
const JAR = process.env.VNU_JAR ?? fileURLToPath(new URL(INSTALLED, import.meta.url));

/**
 * The design system has these roles: without them, browsers forget that a table whose cells are
 * blocks on a phone is one.
 */
const TABLE_ROLE = /^The “role” attribute must not be used on a “t(?:head|body|r|h|d)” element/;

function whyNoChecker(): string | false {
  if (!existsSync(JAR))
    return 'The Nu Html Checker is not installed: npm install --no-save vnu-jar';
  if (spawnSync('java', ['-version']).status !== 0) return 'There is no java';
  return false;
}

describe('the HTML of the pages', { skip: whyNoChecker() }, () => {
  const owner = ownerOfSuite();

  it('has no error, but for the roles of tables', async () => {
    const server = await startEveryPage(owner);
    const folder = temporaryFolder(owner);
    const headers = { accept: HTML };
    const pages = await Promise.all(
      ALL_ADDRESSES.map(async (path) => ({ path, ...(await server.get(path, { headers })) })),
    );
    const body = new URLSearchParams({ list: 'many surgery 2\nRR8\nQqqq' });
    const checked = await server.get('/check-a-list', { method: 'POST', body });
    pages.push({ path: 'a checked list', ...checked });
    const files = pages.map((page, i) => {
      const file = join(folder, `${i}.html`);
      writeFileSync(file, page.text);
      return file;
    });
    const options = ['--errors-only', '--exit-zero-always', '--format', 'json'];
    const checker = spawn('java', ['-jar', JAR, ...options, ...files]);
    const [said, [status]] = await Promise.all([text(checker.stderr), once(checker, 'exit')]);
    assert.equal(status, 0, said);
    const { messages }: { messages: readonly Message[] } = JSON.parse(said);
    const errors = messages
      .filter(({ message }) => !TABLE_ROLE.test(message))
      .map(({ url = '', message, extract }) => {
        const page = pages[Number(/(\d+)\.html$/.exec(url)?.[1])];
        return `${page?.path ?? url}: ${message} ${extract}`;
      });
    assert.deepEqual(errors, []);
    assert.ok(messages.length > 0, 'the checker has looked at tables');
  });
});

interface Message {
  readonly message: string;
  readonly url?: string;
  readonly extract?: string;
}
