/** The pages about imports describe the reasons, warnings and the report of an import. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { gazetteer, SAMPLE } from '../journeys/program.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { codesIn, itemsUnder, plain, readPage } from './markdown.ts';
import { ROOT } from './source-files.ts';

const importPage = readPage('docs/reference/import.md');
const howToPage = readPage('docs/how-to/import-a-release.md');

describe('the pages about imports', () => {
  for (const [name, heading] of [
    ['LeftOutReason', 'Records left out'],
    ['WarningKind', 'Warnings'],
  ] as const) {
    it(`lists every ${name}`, () => {
      const source = readFileSync(join(ROOT, 'src/directory/record/source.ts'), 'utf8');
      const union = new RegExp(`export type ${name} =([^;]+);`).exec(source)?.[1] ?? '';
      const declared = [...union.matchAll(/'([^']+)'/g)].map(([, kind]) => kind);
      assert.ok(declared.length > 1);
      assert.deepEqual(
        itemsUnder(importPage, heading)
          .map(({ name: kind }) => plain(kind))
          .sort(),
        declared.sort(),
      );
    });
  }

  it('describes the report that the sample gets', async (context) => {
    const folder = temporaryFolder(context);
    const reportPath = join(folder, 'report.json');
    const words = ['--data', join(folder, 'data'), '--report', reportPath];
    const { stdout } = await gazetteer(['import', SAMPLE, ...words]);
    const report = JSON.parse(readFileSync(reportPath, 'utf8'));
    const documented = itemsUnder(importPage, 'The report');
    assert.deepEqual(
      documented.map(({ name }) => plain(name)),
      Object.keys(report),
    );
    assert.deepEqual(codesIn(documented[0]?.text ?? ''), Object.keys(report.edition));
    const shown = howToPage.codeBlocks.find(({ language }) => language === 'text')?.text ?? '';
    const withoutTime = (text: string) => text.replace(/ in [\d.]+ s /, ' ');
    const written = withoutTime(stdout).split('\n');
    const missing = withoutTime(shown)
      .split('\n')
      .filter((line) => line.trim() !== '…' && !written.includes(line));
    assert.deepEqual(missing, []);
  });
});
