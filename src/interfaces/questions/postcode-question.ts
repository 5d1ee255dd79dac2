/** The question where a postcode is and what it belongs to, answered from the imported file. */

import { PLACE_COLUMNS, placeOf, requirePostcodes } from '../../directory/ask/place-of.ts';
import {
  AREA_KINDS,
  type AreaKind,
  type PostcodeAnswer,
  type PostcodeArea,
} from '../../directory/places/areas.ts';
import { FhirError } from '../../fhir/request/fhir-error.ts';
import { objectOf, oneOf, TEXT } from '../json/json-schema.ts';
import type { Question } from './question.ts';

/** The columns of an area: its code, and what the file may say of it. */
const AREA_CELLS: Readonly<Record<AreaKind, readonly (keyof typeof CELLS)[]>> = {
  localAuthority: ['', 'Name'],
  subIcb: ['', 'Name', 'Organisation'],
  icb: ['', 'Name', 'Organisation'],
  region: ['', 'Name'],
  lsoa11: [''],
  lsoa21: [''],
  country: [''],
};

const CELLS = {
  '': ({ code }: PostcodeArea) => code,
  Name: ({ name }: PostcodeArea) => name,
  Organisation: ({ organisation }: PostcodeArea) => organisation?.code,
};

const COLUMNS = AREA_KINDS.flatMap((kind) =>
  AREA_CELLS[kind].map((what) => ({ kind, what, name: `${kind}${what}` })),
);

const AREA_SCHEMA = objectOf({
  code: TEXT,
  name: TEXT,
  organisation: objectOf({ code: TEXT, name: TEXT }),
});

/** `Post Code` is `postcode` in another spelling. */
export const POSTCODE_HEADINGS: readonly (readonly string[])[] = [
  ['postal code', 'zip', 'zip code', 'pcd', 'pcds'],
];

export const POSTCODES: Question<PostcodeAnswer> = {
  name: 'postcodes',
  title: 'Postcodes',
  summary: 'Where postcodes are, and what they belong to.',
  inputs: [
    {
      name: 'postcode',
      documentation: 'A postcode, in any case, with or without its space.',
      example: 'LS1 4AP',
      isRequired: true,
      hasNoCommas: true,
      headings: POSTCODE_HEADINGS,
    },
  ],
  columns: ['outcome', ...PLACE_COLUMNS, 'terminated', ...COLUMNS.map(({ name }) => name)],
  schema: objectOf({
    postcode: TEXT,
    outcome: oneOf(['found', 'terminated', 'unknown', 'malformed']),
    ...Object.fromEntries(PLACE_COLUMNS.map((name) => [name, { type: 'number' }])),
    terminated: TEXT,
    ...Object.fromEntries(AREA_KINDS.map((kind) => [kind, AREA_SCHEMA])),
  }),
  needsLinks: false,
  shortMax: 50,
  open: async (edition, day) => {
    requirePostcodes(edition);
    return ({ postcode = '' }) => placeOf(edition, postcode, day);
  },
  cells: (answer) => [
    answer.outcome,
    ...PLACE_COLUMNS.map((name) => String(answer[name] ?? '')),
    answer.terminated ?? '',
    ...COLUMNS.map(({ kind, what }) => (answer[kind] && CELLS[what](answer[kind])) ?? ''),
  ],
  refusalOf: ({ postcode, outcome }) => {
    if (outcome === 'unknown') {
      return FhirError.of('no-record', `The imported postcodes do not have ${postcode}.`);
    }
    if (outcome !== 'malformed') return undefined;
    return FhirError.of('invalid-parameter', 'This is not a postcode. Write it as in LS1 4AP.');
  },
};
