/** The mutants that no test can detect, each with the reason. */
import { JUDGED_ACCESS } from './judged-access.ts';
import { JUDGED_CONTENT } from './judged-content.ts';
import type { Mutant } from './mutants.ts';

export interface Judged {
  readonly file: string;
  /** The line, without the space around it. */
  readonly line: string;
  /** The original text and its replacement. */
  readonly change: string;
  readonly reason: string;
}

const JUDGED: readonly Judged[] = [...JUDGED_ACCESS, ...JUDGED_CONTENT];

export function judgementOf(file: string, source: string, mutant: Mutant): string | undefined {
  const line = source.split('\n')[mutant.line - 1]?.trim();
  const change = `${source.slice(mutant.start, mutant.end)} -> ${mutant.replacement}`;
  return JUDGED.find((judged) => {
    return judged.file === file && judged.line === line && judged.change === change;
  })?.reason;
}
