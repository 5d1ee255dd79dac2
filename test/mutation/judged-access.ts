/** Mutants of the files about limits and authorisation that no test can notice, or that change nothing that matters. */
import type { Judged } from './judged.ts';

export const JUDGED_ACCESS: readonly Judged[] = [];
