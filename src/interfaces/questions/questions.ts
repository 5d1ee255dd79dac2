/**
 * The questions: which code replaced one, what an organisation belongs to, which code a name means,
 * and where a postcode is.
 */

import type { Belonging, ResolvedCode } from '../../directory/ask/answers.ts';
import { belongsTo, LEVEL_NAMES, levelNamed } from '../../directory/ask/belongs-to.ts';
import { resolveCode } from '../../directory/ask/successors.ts';
import { findRow, pastedCode } from '../../directory/edition/source-record.ts';
import { EXAMPLE_CODE } from '../faces/face.ts';
import { arrayOf, objectOf, oneOf, TEXT } from '../json/json-schema.ts';
import { MATCH } from './match-question.ts';
import { POSTCODES } from './postcode-question.ts';
import type { Question, QuestionInput } from './question.ts';

const CODE: QuestionInput = {
  name: 'code',
  documentation: 'The code of an organisation, in any case.',
  example: EXAMPLE_CODE,
  isRequired: true,
  hasNoCommas: true,
  headings: [
    [
      'organisation code',
      'organization code',
      'org code',
      'ods code',
      'ods',
      'org id',
      'organisation id',
      'organization id',
      'organisation ods code',
      'organization ods code',
      'practice code',
      'provider code',
      'site code',
      'trust code',
      'nacs code',
    ],
    // The reports of successions and networks.
    ['old organisation code', 'partner organisation code'],
    ['pcn code'],
  ],
};

export const RESOLVE: Question<ResolvedCode> = {
  name: 'resolve',
  title: 'Replaced codes',
  summary: 'The codes that organisations have now, or had on a day, in place of these codes.',
  inputs: [CODE],
  columns: ['outcome', 'now', 'nowName', 'replacedOn'],
  schema: objectOf({
    code: TEXT,
    outcome: oneOf(['current', 'replaced', 'split', 'closed', 'unknown']),
    now: arrayOf(
      objectOf({
        code: TEXT,
        name: TEXT,
        via: arrayOf(objectOf({ from: TEXT, to: TEXT, day: TEXT })),
      }),
    ),
  }),
  needsLinks: true,
  shortMax: 50,
  open: async (edition, day) => {
    return ({ code: sent = '' }) => {
      // A code without a record can have successors.
      const code = findRow(edition.links, sent)?.code ?? pastedCode(sent).toUpperCase();
      return { ...resolveCode(edition, code, day), code: sent };
    };
  },
  cells: ({ outcome, now }) => [
    outcome,
    now.map(({ code }) => code).join(' '),
    now.map(({ name = '' }) => name).join('; '),
    now
      .map(({ via }) => via.at(-1)?.day ?? '')
      .join(' ')
      .trim(),
  ],
};

export const HIERARCHY: Question<Belonging> = {
  name: 'hierarchy',
  title: 'Hierarchy',
  summary: 'What organisations belong to on a day, from the nearest level upwards.',
  inputs: [CODE],
  columns: ['outcome', ...LEVEL_NAMES.flatMap((name) => [name, `${name}Name`])],
  schema: objectOf({
    code: TEXT,
    outcome: oneOf(['found', 'unknown']),
    levels: arrayOf(objectOf({ code: TEXT, name: TEXT, role: TEXT, by: TEXT })),
  }),
  needsLinks: true,
  shortMax: 50,
  open: async (edition, day) => {
    return ({ code = '' }) => {
      const found = findRow(edition.links, code);
      if (found === undefined) return { code, outcome: 'unknown', levels: [] };
      return { code, outcome: 'found', levels: belongsTo(edition, found.row, day) };
    };
  },
  cells: ({ outcome, levels }) => [
    outcome,
    ...LEVEL_NAMES.flatMap((level) => {
      const { code = '', name = '' } = levelNamed(levels, level) ?? {};
      return [code, name];
    }),
  ],
};

export const QUESTIONS: readonly Question[] = [RESOLVE, HIERARCHY, MATCH, POSTCODES];
