/** The size of the code: how long files and functions may be, and how many files a folder may have. */
import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import { describe, it } from 'node:test';
import { type SourceFile, sourceFiles } from './source-files.ts';
import { childrenOf, isNode, type SyntaxNode, syntaxOf } from './syntax.ts';

const SOURCE_LINES_MAX = 300;
const TEST_LINES_MAX = 500;
const FUNCTION_LINES_MAX = 70;
/** What a reader can take in of a folder. */
const FOLDER_FILES_MAX = 20;

describe('the size of the code', () => {
  const sources = sourceFiles();
  const ours = sources.filter(({ path }) => path.startsWith('src/'));

  it('keeps files of src/ within 300 lines, and others within 500', () => {
    const long = sources
      .map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
      .filter(({ path, lines }) => lines > linesMax(path));
    assert.deepEqual(long, []);
  });

  it('keeps functions within 70 lines', () => {
    const long = sources.flatMap(functionsOf).filter(({ lines }) => lines > FUNCTION_LINES_MAX);
    assert.deepEqual(long, []);
  });

  it(`keeps folders of src/ within ${FOLDER_FILES_MAX} files`, () => {
    const folders = Map.groupBy(ours, ({ path }) => dirname(path));
    const wide = [...folders].filter(([, files]) => files.length > FOLDER_FILES_MAX);
    assert.deepEqual(
      wide.map(([folder, { length }]) => `${folder}: ${length}`),
      [],
    );
  });

  it('measures nested functions and methods too', () => {
    const text = `class A {\n  run() {\n    return () => {\n      return 1;\n    };\n  }\n}\n`;
    assert.deepEqual(functionsOf({ path: 'a.ts', text }), [
      { where: 'a.ts run', lines: 5 },
      { where: 'a.ts (line 3)', lines: 3 },
    ]);
  });
});

function linesMax(path: string): number {
  return path.startsWith('src/') ? SOURCE_LINES_MAX : TEST_LINES_MAX;
}

interface FunctionSize {
  /** The file, and the name of the function or its line. */
  readonly where: string;
  readonly lines: number;
}

function functionsOf(file: SourceFile): FunctionSize[] {
  const { path } = file;
  const found: FunctionSize[] = [];
  const visit = (node: SyntaxNode, inherited: string | undefined): void => {
    const { loc } = node;
    const name = nameOf(node.id) ?? nameOf(node.key) ?? inherited;
    const isFunction = /Function/.test(node.type);
    if (isFunction && loc && !name?.startsWith('describe')) {
      const where = `${path} ${name ?? `(line ${loc.start.line})`}`;
      found.push({ where, lines: loc.end.line - loc.start.line + 1 });
    }
    // A suite is a list of tests, not a function to be kept short.
    const isSuite =
      node.type === 'CallExpression' && nameOf(node.callee)?.startsWith('describe') === true;
    const passedOn = isSuite ? 'describe' : isFunction ? undefined : name;
    for (const child of childrenOf(node)) {
      visit(child, PASSING.has(node.type) || isSuite ? passedOn : undefined);
    }
  };
  visit(syntaxOf(file), undefined);
  return found;
}

/** Nodes whose name is that of the function in them. */
const PASSING = new Set([
  'VariableDeclarator',
  'MethodDefinition',
  'Property',
  'PropertyDefinition',
  'AssignmentExpression',
]);

/** The name of an identifier, and of `describe` in `describe.skip`. */
function nameOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  if (typeof node.name === 'string') return node.name;
  return nameOf(node.object);
}
