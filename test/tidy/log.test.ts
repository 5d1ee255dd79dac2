/** The log: every warning and error has a code of its own, which the reference explains once. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LOG_FIELDS } from '../../scripts/reference-log.ts';
import { LOG_PROBLEMS } from '../../src/server/monitoring/log-problems.ts';
import { codesIn, itemsUnder, plain, readPage } from './markdown.ts';
import { sourceFiles } from './source-files.ts';

const TABLES = ['src/server/monitoring/log-problems.ts'];
const page = readPage('docs/reference/logs.md');
const sources = sourceFiles().filter(
  ({ path }) => path.startsWith('src/') && !TABLES.includes(path),
);

describe('the codes of the log', () => {
  const codes = Object.keys(LOG_PROBLEMS);

  it('consist of GZ and three digits, in ascending order', () => {
    assert.deepEqual(
      codes.filter((code) => !/^GZ[1-9]\d\d$/.test(code)),
      [],
    );
    assert.deepEqual(codes, codes.toSorted());
  });

  it('are each reported at one place', () => {
    const used = sources.flatMap(({ text }) =>
      [...text.matchAll(/'(GZ\d+)'/g)].map(([, code]) => code),
    );
    assert.deepEqual(used.toSorted(), codes);
  });

  it('are in the reference, each once', () => {
    assert.deepEqual(
      itemsUnder(page, 'Warnings and errors').map(({ name }) => plain(name)),
      codes,
    );
  });

  it('have a message that no other code has', () => {
    const messages = Object.values(LOG_PROBLEMS).map(({ message }) => message);
    assert.equal(new Set(messages).size, messages.length);
  });

  it('are the only way to a warning or an error', () => {
    const others = sources
      .filter(({ text }) => /\b(?:log|logger)\.(?:warn|error|fatal)\(/i.test(text))
      .map(({ path }) => path);
    assert.deepEqual(others, []);
  });
});

it('the fields of the log are in the reference, and name only codes that exist', () => {
  const fields = itemsUnder(page, 'Fields').flatMap(({ text }) => codesIn(text));
  assert.deepEqual(
    Object.keys(LOG_FIELDS).filter((name) => !fields.includes(name)),
    [],
  );
  const named = [...page.text.matchAll(/GZ\d+/g)].map(([code]) => code);
  assert.deepEqual(
    named.filter((code) => !(code in LOG_PROBLEMS)),
    [],
  );
  assert.ok(codesIn(page.text).includes('code'));
});
