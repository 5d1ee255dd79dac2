/** Everyday words for organisations, and the roles that they mean. */

/** Words in small letters that mean the same roles. */
export interface EverydayWord {
  readonly words: readonly string[];
  /** The whole names of the roles. */
  readonly names?: readonly string[];
  /** What the names of the roles have in common. */
  readonly parts?: readonly string[];
  /** Many organisations have the word in their names, so that it is more likely a name. */
  readonly isInNames?: true;
}

export const EVERYDAY_WORDS: readonly EverydayWord[] = [
  { words: ['dentist', "dentist's", 'dental practice'], parts: ['dental practice'] },
  {
    words: ['doctor', "doctor's", 'gp', 'gp surgery', 'doctors surgery', 'general practice'],
    parts: ['gp practice'],
  },
  { words: ['surgery'], parts: ['gp practice', 'branch surgery'], isInNames: true },
  {
    words: ['hospital'],
    names: ['nhs trust', 'nhs trust site'],
    parts: ['hospital'],
    isInNames: true,
  },
  {
    words: ['trust', 'hospital trust'],
    names: ['nhs trust', 'care trust', 'foundation trust'],
    isInNames: true,
  },
  { words: ['nursing home'], parts: ['care home'] },
  { words: ['icb'], parts: ['integrated care board'] },
  { words: ['sub icb'], parts: ['sub icb location'] },
  { words: ['pcn'], parts: ['primary care network'] },
  { words: ['pct'], names: ['primary care trust'] },
  { words: ['ccg'], parts: ['clinical commissioning group'] },
  { words: ['csu'], names: ['commissioning support unit'] },
  { words: ['chemist'], parts: ['pharmacy'] },
  { words: ['optician', 'optometrist'], parts: ['optical'] },
  { words: ['lab', 'laboratory'], parts: ['pathology lab'] },
  { words: ['region', 'nhs region'], names: ['nhs england (region)'] },
  { words: ['out of hours'], parts: ['out of hours'] },
];
