/** Mutants of the files about preconditions, paging and audit that no test can notice, or that change nothing that matters. */
import type { Judged } from './judged.ts';

export const JUDGED_CONTENT: readonly Judged[] = [];
