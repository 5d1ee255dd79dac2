/** Moves that fail at any step. */
import { describeFailedMoves } from './failed-moves.contract.ts';

describeFailedMoves(() => true);
