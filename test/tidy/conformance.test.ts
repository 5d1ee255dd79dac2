/** The page about conformance names tests that are there. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { it } from 'node:test';
import { readPage, rowsUnder } from './markdown.ts';
import { importsOf, ROOT } from './source-files.ts';

const HEAD = ['no.', 'level', 'rule', 'shown by'];

/** `fhir/handle.test.ts` › its name; the suites of ports are `.contract.ts`. */
const REFERENCE = /^`([^`]+\.(?:test|contract)\.ts)` › (.+)$/;
const HAS_REFERENCE = /\.(?:test|contract)\.ts`/;

/** A title of a test, or of a case that becomes one: a plain text, or a template with gaps. */
const TITLE = /(?:\b(?:it|test|describe)\(\s*|\bname: )('(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`)/g;

const rows = rowsUnder(readPage('docs/conformance.md'), ...HEAD);

it('rules are numbered, and are a must or a should', () => {
  assert.ok(rows.length > 100);
  assert.deepEqual(
    rows.map(([number]) => Number(number)),
    rows.map((_, i) => i + 1),
  );
  assert.deepEqual([...new Set(rows.map(([, level]) => level))].sort(), ['must', 'should']);
});

it('every rule names tests that are there, or says why there is none', () => {
  const wrong = rows.flatMap(([number, , , shown = '']) => {
    if (!HAS_REFERENCE.test(shown)) return shown === '' ? [`${number}: nothing`] : [];
    return shown.split('<br>').flatMap((reference) => {
      const [, file = '', name = ''] = REFERENCE.exec(reference) ?? [];
      const path = join(ROOT, 'test', file);
      if (file === '' || !existsSync(path)) return [`${number}: ${reference}: no such file`];
      const isThere = titlesOf(textWithCases(path)).some((title) => title.test(name));
      return isThere ? [] : [`${number}: ${reference}: no such test`];
    });
  });
  assert.deepEqual(wrong, []);
});

/** The text of a test file, and of the files of cases that it imports. */
function textWithCases(path: string): string {
  const text = readFileSync(path, 'utf8');
  const cases = importsOf({ path: relative(ROOT, path), text }).filter(
    (imported) => imported.startsWith('test/') && /-(?:cases|bodies)\.ts$/.test(imported),
  );
  return [text, ...cases.map((each) => readFileSync(join(ROOT, each), 'utf8'))].join('\n');
}

/**
 * The titles of a file. The gaps of a template that begins or ends with one are filled by what the
 * file holds as cases: the words of the name must then be in the file.
 */
function titlesOf(text: string): { test(name: string): boolean }[] {
  return [...text.matchAll(TITLE)].map(([, literal = '']) => {
    const parts = literal.slice(1, -1).split(/\$\{[^}]*\}/);
    const pattern = parts.map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('(.*?)');
    const whole = new RegExp(`^${pattern}$`);
    return {
      test: (name) => {
        if (name.includes('${')) return literal.slice(1, -1) === name;
        const [, ...filled] = whole.exec(name) ?? [undefined, false];
        return filled.every((gap) => gap !== false && isInside(String(gap), text));
      },
    };
  });
}

/** What fills a gap stands in the file, as it is or as source writes it; lists word by word. */
function isInside(gap: string, text: string): boolean {
  const written = gap.replaceAll('\\', '\\\\');
  if (text.includes(gap) || text.includes(written)) return true;
  return written.split(/, | /).every((word) => FILLING.test(word) || text.includes(word));
}

/** What templates themselves put for an empty list, parameter or header. */
const FILLING = /^(?:nothing|none|no|without|parameters|_format)$/;
