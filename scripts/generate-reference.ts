/**
 * Writes the parts of documents that come from the code: `npm run generate:reference`.
 * A page marks each of them with `<!-- generated: NAME -->` and `<!-- end -->`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFiles, ROOT } from '../test/tidy/source-files.ts';
import { blockOf } from './reference-blocks.ts';

/** The pages that can have marked blocks. */
export function pagesWithReference(): string[] {
  return projectFiles().filter((name) => /^(?:ARCHITECTURE|docs\/.*)\.md$/.test(name));
}

/** The text of a page with the current content of its marked blocks. */
export function withReference(page: string): string {
  return page.replace(
    /(<!-- generated: ([\w -]+?) -->\n)[\s\S]*?(<!-- end -->)/g,
    (_, start: string, name: string, end: string) => `${start}\n${blockOf(name)}\n\n${end}`,
  );
}

if (import.meta.main) {
  for (const path of pagesWithReference()) {
    const page = readFileSync(join(ROOT, path), 'utf8');
    const current = withReference(page);
    if (current === page) continue;
    writeFileSync(join(ROOT, path), current);
    console.log(path);
  }
}
