/** Random searches, whose texts, codes and dates are drawn from the records of an edition. */
import { type Random, randomFor } from '../scripts/release/random.ts';
import { loadConfig } from '../src/config/load-config.ts';
import { sectionOf } from '../src/config/section.ts';
import type { Edition } from '../src/directory/edition/edition.ts';
import type { DirectoryQuery } from '../src/directory/index/organization-index.ts';
import { FhirError } from '../src/fhir/request/fhir-error.ts';
import { STU3_FACE } from '../src/interfaces/stu3/face.ts';

/** A criterion or a combination of them, as clients write it. */
export interface QueryKind {
  readonly name: string;
  /** The query of a URL. */
  readonly draw: (draw: Draw) => string;
}

/** What a query can be drawn from. */
export interface Draw {
  readonly random: Random;
  /** A text of a random record: all of it, its beginning, a part, one of its words. */
  whole(field: Field): string;
  beginning(field: Field, most?: number): string;
  part(field: Field, most?: number): string;
  word(): string;
  code(): string;
  role(): string;
  /** The day a random record was changed, of which later ones match. */
  changed(): string;
}

export type Field = 'name' | 'address-postalcode' | 'address-city';

const pair = (name: string, value: string) => `${name}=${encodeURIComponent(value)}`;
const several = (draw: Draw, one: () => string) =>
  Array.from({ length: 2 + draw.random.below(4) }, one);
const either = (name: string, values: readonly string[]) =>
  `${name}=${values.map((value) => encodeURIComponent(value.replaceAll(',', '\\,'))).join(',')}`;

const active = ({ random }: Draw) => pair('active', random.isChance(7000) ? 'true' : 'false');
const role = (draw: Draw) => pair('ods-org-role', draw.role());
const primary = (draw: Draw) => `${role(draw)}&ods-org-primaryRole=true`;
const changed = (draw: Draw) => pair('_lastUpdated', `gt${draw.changed()}`);
const starts = (field: Field, most?: number) => (draw: Draw) =>
  pair(field, draw.beginning(field, most));
const contains = (field: Field, most?: number) => (draw: Draw) =>
  pair(`${field}:contains`, draw.part(field, most));
const exact = (field: Field) => (draw: Draw) => pair(`${field}:exact`, draw.whole(field));
const all =
  (...parts: readonly QueryKind['draw'][]) =>
  (draw: Draw) =>
    parts.map((part) => part(draw)).join('&');

/** Those that can be given together, the same one twice too. */
const ANY = [
  starts('name'),
  contains('name'),
  starts('address-postalcode'),
  contains('address-postalcode'),
  starts('address-city'),
  contains('address-city'),
  role,
  active,
  changed,
];
const any = (draw: Draw) => draw.random.pick(ANY)(draw);

export const QUERY_KINDS: readonly QueryKind[] = [
  { name: '_id', draw: (draw) => pair('_id', draw.code()) },
  { name: 'identifier', draw: (draw) => pair('identifier', draw.code().toLowerCase()) },
  { name: 'name', draw: starts('name') },
  { name: 'name, 3 letters', draw: starts('name', 3) },
  { name: 'name:contains', draw: contains('name') },
  { name: 'name:contains, 3 letters', draw: contains('name', 3) },
  { name: 'name:contains, a word', draw: (draw) => pair('name:contains', draw.word()) },
  { name: 'name:exact', draw: exact('name') },
  { name: 'postcode', draw: starts('address-postalcode') },
  {
    name: 'postcode without its space',
    draw: (draw) => pair('address-postalcode', draw.whole('address-postalcode').replace(' ', '')),
  },
  { name: 'postcode:contains', draw: contains('address-postalcode') },
  { name: 'postcode:exact', draw: exact('address-postalcode') },
  { name: 'city', draw: starts('address-city') },
  { name: 'city, 2 letters', draw: starts('address-city', 2) },
  { name: 'city:contains', draw: contains('address-city') },
  { name: 'city:contains, 2 letters', draw: contains('address-city', 2) },
  { name: 'city:exact', draw: exact('address-city') },
  { name: 'active', draw: active },
  { name: 'role', draw: role },
  { name: 'role, primary', draw: primary },
  { name: 'role, not primary', draw: (draw) => `${role(draw)}&ods-org-primaryRole=false` },
  { name: '_lastUpdated', draw: changed },
  {
    name: '2 to 5 roles, any of them',
    draw: (draw) =>
      either(
        'ods-org-role',
        several(draw, () => draw.role()),
      ),
  },
  {
    name: '2 to 5 name:contains, any of them',
    draw: (draw) =>
      either(
        'name:contains',
        several(draw, () => draw.part('name')),
      ),
  },
  { name: 'name:contains and active', draw: all(contains('name', 3), active) },
  { name: 'role, active and _lastUpdated', draw: all(role, active, changed) },
  { name: 'city and role', draw: all(starts('address-city'), role) },
  { name: 'any 2 criteria, both', draw: all(any, any) },
  { name: 'any 3 criteria, all', draw: all(any, any, any) },
  { name: 'any 5 criteria, all', draw: all(any, any, any, any, any) },
];

/** Draws queries that the service takes; the same seed draws the same ones. */
export function createQueries(edition: Edition, seed: number) {
  const draw = createDraw(edition, randomFor(seed, 0));
  return (kind: QueryKind): { readonly text: string; readonly query: DirectoryQuery } => {
    for (;;) {
      const text = kind.draw(draw);
      const query = parse(text);
      if (query !== undefined) return { text, query };
    }
  };
}

const settings = sectionOf(loadConfig({ flags: {}, environment: {} }), 'directory');
const parseSearch = STU3_FACE.createSearchParser(settings, 'http://localhost/STU3');

/** As the service understands it; nothing where it refuses a text that was drawn. */
function parse(text: string): DirectoryQuery | undefined {
  const form = { format: 'json', contentType: '', isPretty: false } as const;
  try {
    return parseSearch({ query: text, isLenient: false, form, formIssue: undefined }).query;
  } catch (error) {
    if (error instanceof FhirError) return undefined;
    throw error;
  }
}

/** The fewest characters of a text that are searched for. */
const LEAST: Readonly<Record<Field, number>> = {
  name: 3,
  'address-postalcode': 2,
  'address-city': 2,
};

function createDraw({ rows }: Edition, random: Random): Draw {
  const record = () => rows.recordAt(random.below(rows.count));
  const whole = (field: Field): string => {
    for (;;) {
      const { name, address } = record();
      const text = {
        name,
        'address-postalcode': address?.postalCode,
        'address-city': address?.city,
      }[field];
      if (text !== undefined && text.length >= LEAST[field]) return text;
    }
  };
  const lengthOf = (text: string, field: Field, most = text.length) => {
    const least = LEAST[field];
    return least + random.below(Math.min(most, text.length) - least + 1);
  };
  return {
    random,
    whole,
    beginning: (field, most) => {
      const text = whole(field);
      return text.slice(0, lengthOf(text, field, most));
    },
    part: (field, most) => {
      const text = whole(field);
      const length = lengthOf(text, field, most);
      const start = random.below(text.length - length + 1);
      const found = text.slice(start, start + length);
      return found.trim().length < LEAST[field] ? text.slice(0, LEAST[field]) : found;
    },
    word: () => {
      for (;;) {
        const words = whole('name')
          .split(' ')
          .filter((word) => word.length >= LEAST.name);
        if (words.length > 0) return random.pick(words);
      }
    },
    code: () => rows.codeOf(random.below(rows.count)),
    role: () => random.pick(record().roles).code,
    changed: () => record().lastUpdated.slice(0, 'YYYY-MM-DD'.length),
  };
}
