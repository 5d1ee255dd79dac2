/** Commands of documents write no data beside the source, where a commit would take it along. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { commandsOf, documents } from '../documents/commands.ts';
import { ROOT } from './source-files.ts';

const WRITTEN =
  /(?:(?:bin\/gazetteer|npm) .*--(?:output|out|report)|curl .* -o| >|bin\/gazetteer backup) ([^\s-]\S*)/g;

it('the commands of guides write below data/, or outside the checkout', () => {
  const written = documents()
    .filter((page) => page.endsWith('.md') && page !== 'docs/reference/command-line.md')
    .flatMap((page) => commandsOf(page))
    .flatMap(({ place, text }) =>
      [...text.matchAll(WRITTEN)].map(([, file = '']) => [place, file]),
    );
  assert.ok(written.length > 10);
  assert.deepEqual(
    written.filter(([, file]) => !/^(data\/|sample\/|\/|~\/|[A-Z]+$)/.test(file ?? '')),
    [],
  );
});

it('git ignores what people keep in the folder of the project', () => {
  const ignored = readFileSync(join(ROOT, '.gitignore'), 'utf8').split('\n');
  for (const pattern of ['data/', '/*.age', '/*.backup', '/*.tgz', '/*.zip']) {
    assert.ok(ignored.includes(pattern), pattern);
  }
});
