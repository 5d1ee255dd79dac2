/**
 * The parameters of searches for people: of the look-up page, the downloads of its results, and
 * `gazetteer search`.
 */

import { TEXT } from '../../interfaces/json/json-schema.ts';
import {
  FLAG_KIND,
  type Kind,
  numberKind,
  oneOfKind,
  TEXT_KIND,
} from '../../interfaces/json/kinds.ts';
import { tableOf } from '../../interfaces/json/parameter-table.ts';

/** The interpretations of a text. */
export const READING_KINDS = [
  'code',
  'codes',
  'postcode',
  'district',
  'name',
  'town',
  'role',
  'name-town',
  'role-town',
] as const;
export type ReadingKind = (typeof READING_KINDS)[number];

/** A type of relationship without `RE`. */
const RELATION_KIND: Kind<string> = {
  schema: TEXT,
  rule: 'must be a type of relationship, such as 4 or RE4',
  word: 'type',
  parse: (text) => /^(?:RE)?(\d{1,4})$/i.exec(text)?.[1],
};

const WORDS = tableOf({
  q: {
    documentation: 'Words of a name, a town, a postcode, a role or a code.',
    kind: TEXT_KIND,
    example: 'leeds',
  },
});

/** The parameters that narrow a search. */
export const SEARCH_FILTERS = tableOf({
  as: {
    documentation: 'The meaning of the words. Without it: the first one that finds organisations.',
    kind: { ...oneOfKind(READING_KINDS), word: 'meaning' },
    example: 'name',
  },
  role: {
    documentation:
      'Only organisations with this role: its code, such as RO182 or 182, or its name.',
    kind: TEXT_KIND,
    example: 'RO182',
    isRepeatable: true,
  },
  status: {
    documentation:
      'active, inactive or all. Without it: active, or inactive where no organisation is active.',
    kind: oneOfKind(['active', 'inactive', 'all']),
    example: 'all',
  },
  town: {
    documentation: 'Only organisations in towns that begin with this text.',
    kind: TEXT_KIND,
    example: 'leeds',
  },
  of: {
    documentation: 'Only organisations that belong to the one with this code or name.',
    kind: { ...TEXT_KIND, word: 'code' },
    example: 'QWO',
  },
  direct: {
    documentation:
      'Only those with a relationship to it, of any type, and not through another organisation.',
    kind: FLAG_KIND,
    example: 'true',
  },
  by: {
    documentation: 'Only those with a relationship of this type to it, such as RE4.',
    kind: RELATION_KIND,
    example: 'RE4',
  },
  near: {
    documentation: 'Only organisations near a postcode, or a latitude, a comma and a longitude.',
    kind: { ...TEXT_KIND, word: 'place' },
    example: '53.79,-1.55',
  },
  within: {
    documentation: 'The greatest distance to that place in kilometres. Without it: 10.',
    kind: { ...TEXT_KIND, word: 'kilometres' },
    example: '5',
  },
});

const PAGE = tableOf({
  page: {
    documentation: 'The number of the page.',
    kind: numberKind({ min: 1 }, '1 or more'),
    example: '2',
  },
  print: {
    documentation: '`true`: one page has all results, for paper.',
    kind: FLAG_KIND,
    example: 'true',
  },
});

export const LOOK_UP_PARAMETERS = { ...WORDS, ...SEARCH_FILTERS, ...PAGE } as const;

export type LookUpParameter = keyof typeof LOOK_UP_PARAMETERS;

/** The parameters that mean nothing without another one. */
export const NEEDED_PARAMETERS: readonly (readonly [
  name: LookUpParameter,
  needed: LookUpParameter,
])[] = [
  ['direct', 'of'],
  ['by', 'of'],
  ['within', 'near'],
];
