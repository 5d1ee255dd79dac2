/** The statements of conformance name tests that exist. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { it } from 'node:test';
import { CHAPTERS } from '../conformance/chapters.ts';
import { importsOf, ROOT } from './source-files.ts';

/** A title of a test, or of a case that becomes one: a plain text, or a template with gaps. */
const TITLE = /(?:\b(?:it|test|describe)\(\s*|\bname: )('(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`)/g;

const statements = CHAPTERS.flatMap((chapter) => chapter.statements);

it('there are statements about every part of FHIR that the server implements', () => {
  assert.ok(statements.length > 150);
});

it('every statement names tests that exist, or gives a reason', () => {
  const wrong = statements.flatMap(({ rule, evidence }) => {
    if (typeof evidence === 'string') return evidence === '' ? [`${rule} There is no reason.`] : [];
    return evidence.flatMap(([file, name]) => {
      const path = join(ROOT, 'test', file);
      if (!existsSync(path)) return [`${rule} There is no file ${file}.`];
      const isThere = titlesOf(textWithCases(path)).some((title) => title.test(name));
      return isThere ? [] : [`${rule} There is no test "${name}" in ${file}.`];
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
        if (name.includes('…')) return parts.join('…') === name;
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
