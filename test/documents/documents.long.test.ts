/** Every command of the documents runs, and answers as they show. The guides have a file of their own. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { COMMANDS, describePages, isGuide, LEFT_OUT, OPTIONAL, SERVERS } from './run-pages.ts';
import { STAND_INS } from './terminal.ts';

describePages((page) => !isGuide(page));

it('every exception and every stand-in is for a text of the documents', () => {
  const texts = [...COMMANDS.values()].flat().map(({ text }) => text);
  const patterns = LEFT_OUT.map(([pattern]) => pattern);
  assert.deepEqual(
    patterns.filter((pattern) => !texts.some((text) => pattern.test(text))),
    [],
  );
  const stoodFor = [...STAND_INS.map(([documented]) => documented), ...OPTIONAL];
  assert.deepEqual(
    stoodFor.filter((documented) => !texts.some((text) => text.includes(documented))),
    [],
  );
  assert.deepEqual(
    [...SERVERS.keys()].filter((page) => !COMMANDS.has(page)),
    [],
  );
});

it('the documents show the answer of a search, of an error and of a create', () => {
  const shown = [...COMMANDS.values()].flat().flatMap(({ answer }) => answer ?? []);
  for (const sign of ['"searchset"', '"OperationOutcome"', 'HTTP/1.1 201 Created']) {
    assert.ok(
      shown.some((answer) => answer.includes(sign)),
      sign,
    );
  }
});
