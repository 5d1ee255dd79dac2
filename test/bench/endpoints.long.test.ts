/** The benchmark of the dearest answers measures answers, not refusals: with a directory that has all. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { importOthers } from '../../bench/complete-data.ts';
import { askedOf, requireAnswers } from '../../bench/worst/endpoints/asked.ts';
import { openServer } from '../../bench/worst/endpoints/server.ts';
import { importedSample } from '../imported-sample.ts';
import { gazetteer, SAMPLE } from '../journeys/program.ts';

it('each case is answered with the status that it expects', async (context) => {
  const data = await importedSample(context);
  // The cases ask for the second edition.
  const again = await gazetteer(['import', SAMPLE, '--data', data, '--again', '--quiet']);
  assert.equal(again.code, 0, again.stderr);
  await importOthers(data, { postcodes: 5_000, practitioners: 1_000 });
  const server = await openServer(data);
  try {
    await requireAnswers(askedOf(server.described, server.facts, server.ask));
  } finally {
    await server.close();
  }
});
