/** A server that runs learns of postcodes, and of others that replace them. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { importedSample } from '../imported-sample.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { ROOT } from '../tidy/source-files.ts';
import { gazetteer, serve } from './program.ts';

it('a server searches near a place as soon as postcodes were imported, and by the newest ones', async (context) => {
  const data = await importedSample(context);
  const { origin, logged, stop } = await serve(context, ['--data', data]);
  const search = async (query: string) => {
    const answer = await fetch(`${origin}/STU3/Organization?${query}`);
    const etag = answer.headers.get('etag');
    return { status: answer.status, etag, body: JSON.parse(await answer.text()) };
  };
  const importPostcodes = async (file: string, ...more: string[]) => {
    const words = ['import-postcodes', file, '--data', data, ...more];
    const { code, stderr } = await gazetteer(words);
    assert.equal(code, 0, stderr);
  };
  const before = await search('near=LS1 4AP|5');
  assert.equal(before.status, 400);
  assert.match(before.body.issue[0].diagnostics, /gazetteer import-postcodes FILE/);

  await importPostcodes(join(ROOT, 'sample', 'postcodes.zip'));
  await logged(/^serving postcodes$/);
  const { status, etag, body } = await search('near=LS1 4AP|5');
  assert.equal(status, 200);
  assert.ok(body.total > 0);

  const file = join(temporaryFolder(context), 'few.csv');
  writeFileSync(file, 'pcds,lat,long,doterm\nLS1 4AP,53.7957,-1.5509,\nLS1 4AQ,53.7958,-1.5508,\n');
  await importPostcodes(file, '--allow-shrink');
  const deadline = AbortSignal.timeout(20_000);
  let later = await search('near=LS1 4AP|5');
  while (later.etag === etag && !deadline.aborted) later = await search('near=LS1 4AP|5');
  assert.equal(later.status, 200);
  assert.ok(later.body.total < body.total);
  assert.equal(await stop(), 0);
});
