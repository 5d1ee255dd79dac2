/** What pages call the levels that an organisation belongs to. */
import type { LevelName } from '../../directory/ask/belongs-to.ts';

export const LEVEL_WORDS: Readonly<Record<LevelName, string>> = {
  operator: 'Operator',
  network: 'Network',
  subIcb: 'Sub-ICB location',
  icb: 'Integrated care board',
  region: 'Region',
};
