/** Moves that fail at some step: `failed-moves.long.test.ts` tries every step. */
import { describeFailedMoves } from './failed-moves.contract.ts';

/** One step of each table, while it is written. */
describeFailedMoves((step) => /^edition|^\w+ 1$/.test(step));
