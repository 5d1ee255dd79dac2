/** Every door says the same of what organisations belong to, in many random nations. */
import { it } from 'node:test';
import { checkDoors } from './agreement.ts';

it('every door agrees with the oracle in 150 random nations', (context) =>
  checkDoors(context, 150));
