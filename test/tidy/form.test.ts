/** The form of the code: names, headers, leftovers. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { projectFiles, sourceFiles } from './source-files.ts';
import { brokenRules, unstatedResults } from './syntax.ts';

const BANNED_WORDS =
  /(?:^|[-.])(?:util|utils|helper|helpers|common|misc|base|core|manager|impl|factory)(?:[-.]|$)|^index\./;
const BANNED_TYPES =
  /\b(?:class|interface|type|enum) (?:I[A-Z][a-z]\w*|\w*(?:Util|Helper|Manager|Impl|Factory|Base))\b/;

/** Node takes a test reporter from the default export of its file. */
const REPORTER = 'scripts/test-reporter.ts';

/** Marks that are never to be landed, written so that this file does not hold them. */
const LEFTOVERS = new RegExp(
  [
    `\\b(?:${['TO', 'FIX', 'XX'].map((word, i) => word + ['DO', 'ME', 'X'][i]).join('|')})\\b`,
    `@ts-${'ignore'}`,
    `console\\.${'debug'}`,
  ].join('|'),
);

describe('source files', () => {
  const sources = sourceFiles();

  it('are named in kebab-case, without words that say nothing', () => {
    const odd = sources
      .map(({ path }) => path)
      .filter((path) => {
        const name = path.split('/').at(-1) ?? '';
        return (
          !/^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+)*\.(ts|mjs)$/.test(name) || BANNED_WORDS.test(name)
        );
      });
    assert.deepEqual(odd, []);
  });

  it('take the property tests from the file that fixes their seed', () => {
    const importing = sources.filter(({ text }) => /^import .* 'fast-check';$/m.test(text));
    assert.deepEqual(
      importing.map(({ path }) => path),
      ['test/property.ts'],
    );
  });

  it('open with a sentence that says what they are for', () => {
    const silent = sources
      .filter(({ text }) => !/^(#!.*\n)?\/\*\*\s/.test(text))
      .map(({ path }) => path);
    assert.deepEqual(silent, []);
  });

  it('have no default export and no type with an empty name', () => {
    const odd = sources
      .filter(({ text }) => /^export default /m.test(text) || BANNED_TYPES.test(text))
      .map(({ path }) => path)
      .filter((path) => path !== REPORTER);
    assert.deepEqual(odd, []);
  });

  it('hold no leftovers', () => {
    const marked = sources.filter(({ text }) => LEFTOVERS.test(text)).map(({ path }) => path);
    assert.deepEqual(marked, []);
  });

  it('of src/ export no name twice', () => {
    const places = sources
      .filter(({ path }) => path.startsWith('src/'))
      .flatMap(({ path, text }) =>
        [...new Set(Array.from(text.matchAll(EXPORTED), ([, name = '']) => name))].map(
          (name) => [name, path] as const,
        ),
      );
    const byName = Map.groupBy(places, ([name]) => name);
    const twice = [...byName.values()].filter(({ length }) => length > 1);
    assert.deepEqual(twice, []);
  });

  it('of src/ state the results of the functions that they export', () => {
    const ours = sources.filter(({ path }) => path.startsWith('src/'));
    assert.deepEqual(ours.flatMap(unstatedResults), []);
  });

  it('find an exported function or method whose result is not stated', () => {
    const text = [
      'export function one(a: number) {}',
      'export async function* two(b = f(")")): AsyncGenerator<void> {}',
      'export const three = (): number => 1;',
      'export const four: () => number = () => 1;',
      'export const five = (c: () => void) => 1;',
      'function six() {}',
      'export class Seven {',
      '  constructor(d: number) {}',
      '  eight(): void {}',
      '  get nine() { return 1; }',
      '  #ten() {}',
      '  readonly eleven = () => 1;',
      '  readonly twelve: () => number = () => 1;',
      '}',
    ];
    const file = { path: 'a.ts', text: text.join('\n') };
    assert.deepEqual(unstatedResults(file), ['a.ts:1', 'a.ts:5', 'a.ts:10', 'a.ts:12']);
  });

  it('of src/ use node:http only through fhir/http/node-http.ts, which loads less', () => {
    const importers = sources
      .filter(({ path }) => path.startsWith('src/'))
      .filter(({ text }) => /^import (?!type ).* from 'node:http';/m.test(text))
      .map(({ path }) => path);
    assert.deepEqual(importers, []);
  });

  it('read the process nowhere but in main.ts and where a system differs', () => {
    const readers = sources
      .filter(({ path }) => path.startsWith('src/') && path !== 'src/main.ts')
      .filter(({ text }) => /process\.(argv|env|exit|on\(|stdin|stdout|stderr)/.test(text))
      .map(({ path }) => path);
    assert.deepEqual(readers, []);
  });
});

describe('expressions', () => {
  const broken = brokenRules(sourceFiles());
  const ofText = (...lines: readonly string[]) =>
    brokenRules([{ path: 'a.ts', text: lines.join('\n') }]);

  it('write out a literal, and do not spread it', () => {
    assert.deepEqual(broken.spreadLiteral, []);
    const { spreadLiteral } = ofText(
      'const a = { b, ...{ c } };',
      "const d = [...['e'], ...(f ? [g] : [])];",
      'h(...[i]);',
    );
    assert.deepEqual(spreadLiteral, ['a.ts:1', 'a.ts:2', 'a.ts:3']);
  });

  it('take nothing out of an object by a computed key', () => {
    assert.deepEqual(broken.computedKey, []);
    const { computedKey } = ofText(
      'const { a, [b]: c } = d;',
      'f(({ [g]: h, ...i }) => h);',
      'const j = { [k]: l };',
    );
    assert.deepEqual(computedKey, ['a.ts:1', 'a.ts:2']);
  });

  it('ask at most two questions with conditionals', () => {
    assert.deepEqual(broken.longConditional, []);
    const { longConditional } = ofText(
      'a ? b : c ? d : e;',
      'a ? b : c ? d : e ? f : g;',
      'a ? (b ? (c ? d : e) : f) : g;',
    );
    assert.deepEqual(longConditional, ['a.ts:2', 'a.ts:3']);
  });

  it('change no variable in a condition', () => {
    assert.deepEqual(broken.editInCondition, []);
    const { editInCondition } = ofText(
      'if (a++ > b) c();',
      'while ((a = b())) c();',
      'a = (b ||= c) ? d : e;',
      'if (a(() => b++)) c();',
    );
    assert.deepEqual(editInCondition, ['a.ts:1', 'a.ts:2', 'a.ts:3']);
  });
});

describe('the project', () => {
  it('keeps no build products or data', () => {
    const stray = projectFiles().filter((path) => /^(dist|data|node_modules)\//.test(path));
    assert.deepEqual(stray, []);
  });
});

const EXPORTED = /^export (?:async )?(?:function\*?|const|let|class|interface|type) (\w+)/gm;
