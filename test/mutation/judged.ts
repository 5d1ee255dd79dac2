/** The mutants that no test can detect, each with the reason. */
import { JUDGED_ACCESS } from './judged-access.ts';
import { JUDGED_CONTENT } from './judged-content.ts';
import type { Judged, Mutant } from './mutants.ts';

const JUDGED: readonly Judged[] = [...JUDGED_ACCESS, ...JUDGED_CONTENT];

export function judgementOf(file: string, source: string, mutant: Mutant): string | undefined {
  const line = source.split('\n')[mutant.line - 1]?.trim();
  const change = `${source.slice(mutant.start, mutant.end)} -> ${mutant.replacement}`;
  return JUDGED.find((judged) => {
    return judged.file === file && judged.line === line && judged.change === change;
  })?.reason;
}
