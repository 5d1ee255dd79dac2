/** The question which code a name means. */

import type {
  Match,
  MatchDifference,
  MatchHint,
  MatchReason,
} from '../../directory/ask/answers.ts';
import { chosenOf, createMatcher } from '../../directory/ask/match/match.ts';
import { arrayOf, objectOf, oneOf, TEXT } from '../json/json-schema.ts';
import { POSTCODE_HEADINGS } from './postcode-question.ts';
import type { Question } from './question.ts';

const REASONS: readonly MatchReason[] = [
  'code',
  'name',
  'former name',
  'postcode',
  'outward code',
  'town',
  'role',
];

const HINTS: readonly MatchHint[] = ['postcode', 'town', 'role'];
const DIFFERENCES: readonly MatchDifference[] = ['name', ...HINTS];

export const MATCH: Question<Match> = {
  name: 'match',
  title: 'Names and their codes',
  summary: 'The organisations that names mean.',
  inputs: [
    {
      name: 'name',
      documentation: 'The name as people write it, or a code.',
      example: 'Leeds Teaching Hosp',
      isRequired: true,
      headings: [
        [
          'organisation name',
          'organization name',
          'org name',
          'organisation',
          'organization',
          'practice name',
          'provider name',
          'site name',
          'trust name',
        ],
        // The reports of networks.
        ['partner name'],
        ['pcn name'],
      ],
    },
    {
      name: 'postcode',
      documentation: 'The postcode, or its outward code.',
      example: 'LS1',
      headings: POSTCODE_HEADINGS,
    },
    {
      name: 'town',
      documentation: 'The post town.',
      example: 'Leeds',
      headings: [['post town', 'city']],
    },
    {
      name: 'role',
      documentation: 'A role: its code or its name.',
      example: 'RO197',
      headings: [['role code', 'primary role', 'primary role id']],
    },
  ],
  columns: ['outcome', 'code', 'matchedName', 'score', 'why', 'unknown', 'differs'],
  schema: objectOf({
    name: TEXT,
    outcome: oneOf(['certain', 'likely', 'several', 'none']),
    candidates: arrayOf(
      objectOf({
        code: TEXT,
        name: TEXT,
        score: { type: 'number', minimum: 0, maximum: 1 },
        why: arrayOf(oneOf(REASONS)),
        differs: arrayOf(oneOf(DIFFERENCES)),
      }),
    ),
    unknown: arrayOf(oneOf(HINTS)),
  }),
  needsLinks: false,
  shortMax: 2,
  open: async (edition, day, left) => {
    const match = await createMatcher(edition, day, left);
    return ({ name = '', ...hints }) => match({ name, ...hints });
  },
  cells: ({ outcome, candidates, unknown = [] }) => {
    const shown = chosenOf(outcome, candidates);
    return [
      outcome,
      shown.map(({ code }) => code).join(' '),
      shown.map(({ name }) => name).join('; '),
      shown.map(({ score }) => score).join(' '),
      shown.map(({ why }) => why.join(', ')).join('; '),
      unknown.join(', '),
      candidateCell(shown.map(({ differs = [] }) => differs.join(', '))),
    ];
  },
};

/** A text for each candidate in one cell, which is empty if no candidate has a text. */
export function candidateCell(texts: readonly string[]): string {
  return texts.every((text) => text === '') ? '' : texts.join('; ');
}
