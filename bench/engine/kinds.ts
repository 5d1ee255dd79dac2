/**
 * The kinds of searches that the engine is measured with: those of the STU3 interface, and those that
 * only other interfaces have. Codes, texts and dates are drawn from the edition.
 */
import { type Random, randomFor } from '../../scripts/release/random.ts';
import type { Edition } from '../../src/directory/edition/edition.ts';
import type { CriterionOf } from '../../src/directory/index/columns/columns.ts';
import { hasRelationship } from '../../src/directory/index/columns/related-column.ts';
import type {
  DirectoryCriterion,
  DirectorySortKey,
  TokenField,
} from '../../src/directory/index/organization-index.ts';
import type { RelationshipColumns } from '../../src/directory/index/relationship-index.ts';
import type { Page } from '../../src/directory/index/search-index.ts';
import type { Relationship } from '../../src/directory/links/edition-links.ts';
import { compactPostalCode } from '../../src/directory/record/postal-code.ts';
import type { OrganizationRecord } from '../../src/directory/record/record.ts';
import { type DatePrefix, dateEntries } from '../../src/fhir/search/date.ts';
import { createQueries, QUERY_KINDS } from '../queries.ts';

export interface SearchKind {
  readonly name: string;
  /** Draws searches of this kind, each of which reads a first page. */
  readonly prepare: (edition: Edition) => () => () => Page;
}

const PAGE_ROWS = 20;
const SEED = 7;

/** Of the STU3 interface. */
export const STU3_KINDS: readonly SearchKind[] = QUERY_KINDS.map((kind) => ({
  name: kind.name,
  prepare: (edition) => {
    const draw = createQueries(edition, SEED);
    return () => {
      const { query } = draw(kind);
      return () => edition.index.search(query, 0, PAGE_ROWS);
    };
  },
}));

/** What a search of organisations is drawn from. */
interface Draw {
  /** A value of a random record that has one. */
  of(read: (record: OrganizationRecord) => string | undefined): string;
  role(): string;
  day(): string;
  /** Three letters of a name. */
  part(): string;
  relationship(): Relationship;
}

function createDraw({ rows, links }: Edition, random: Random): Draw {
  const of: Draw['of'] = (read) => {
    for (;;) {
      const value = read(rows.recordAt(random.below(rows.count)));
      if (value !== undefined) return value;
    }
  };
  return {
    of,
    role: () => of(({ roles }) => random.pick(roles).code),
    day: () => of(({ lastUpdated }) => lastUpdated.slice(0, 'YYYY-MM-DD'.length)),
    part: () => of(({ name = '' }) => /[A-Z]{3}/.exec(name.slice(random.below(20)))?.[0]),
    relationship: () => links.at(random.below(links.count)),
  };
}

function organizations(
  name: string,
  criteriaOf: (draw: Draw) => readonly DirectoryCriterion[],
  sort: readonly DirectorySortKey[] = [],
): SearchKind {
  return {
    name,
    prepare: (edition) => {
      const draw = createDraw(edition, randomFor(SEED, 0));
      return () => {
        const query = { criteria: criteriaOf(draw) };
        return () => edition.index.search(query, 0, PAGE_ROWS, sort);
      };
    },
  };
}

type RelationshipCriterion = CriterionOf<RelationshipColumns>;

function relationships(
  name: string,
  criteriaOf: (drawn: Relationship, edition: Edition) => readonly RelationshipCriterion[],
): SearchKind {
  return {
    name,
    prepare: (edition) => {
      const { links, relationshipIndex } = edition;
      const random = randomFor(SEED, 0);
      return () => {
        const drawn = links.at(random.below(links.count));
        const query = { criteria: criteriaOf(drawn, edition) };
        return () => relationshipIndex.search(query, 0, PAGE_ROWS);
      };
    },
  };
}

const token = <Field extends string>(field: Field, ...codes: readonly string[]) =>
  ({ type: 'token', field, values: codes.map((code) => ({ code })) }) as const;
const not = (field: TokenField, ...codes: readonly string[]) =>
  ({ type: 'not', criterion: token(field, ...codes) }) as const;
const date = <Field extends string>(field: Field, prefix: DatePrefix, text = '') => {
  const values = dateEntries(text).map((period) => ({ prefix, ...period }));
  return { type: 'date', field, values } as const;
};
const contains = (value: string) =>
  ({ type: 'string', field: 'name', match: 'contains', values: [value] }) as const;
const reference = (field: 'source' | 'target', id: string) =>
  ({ type: 'reference', field, values: [{ id, prefixes: ['Organization/'] }] }) as const;
const compact = (draw: Draw) => compactPostalCode(draw.of(({ address }) => address?.postalCode));
const target = (draw: Draw) => draw.relationship().target.code;
/** The period is in effect on the day on which that of the drawn relationship starts. */
const inEffect = ({ periods: [period] }: Relationship) =>
  ['ge', 'le'].map((prefix) => date('period', prefix === 'ge' ? 'ge' : 'le', period?.start));

const NAME = { field: 'name', isDescending: false } as const;
const OLDEST = { field: 'lastUpdated', isDescending: false } as const;
const NEWEST = { field: 'lastUpdated', isDescending: true } as const;

/** Of organisations, in the other interfaces. */
export const ORGANIZATION_KINDS: readonly SearchKind[] = [
  organizations('country', (draw) => [
    {
      type: 'string',
      field: 'country',
      match: 'startsWith',
      values: [draw.of(({ address }) => address?.country)],
    },
  ]),
  organizations('outward code', (draw) => [token('postalCode', compact(draw).slice(0, -3))]),
  organizations('postcode, whole', (draw) => [token('postalCode', compact(draw))]),
  organizations('record class', (draw) => [
    token(
      'recordClass',
      draw.of(({ recordClass }) => recordClass),
    ),
  ]),
  organizations('active role', (draw) => [token('activeRole', draw.role())]),
  organizations('role:not', (draw) => [not('role', draw.role())]),
  organizations('2 active roles, none of them', (draw) => [
    not('activeRole', draw.role(), draw.role()),
  ]),
  organizations('name:contains and role:not', (draw) => [
    contains(draw.part()),
    not('role', draw.role()),
  ]),
  organizations('changed in a month', (draw) => [
    date('lastUpdated', 'eq', draw.day().slice(0, 'YYYY-MM'.length)),
  ]),
  organizations('changed between two days', (draw) => {
    const [first, last] = [draw.day(), draw.day()].sort();
    return [date('lastUpdated', 'ge', first), date('lastUpdated', 'le', last)];
  }),
  organizations('related by type', (draw) => [
    hasRelationship({ types: [draw.relationship().type] }),
  ]),
  organizations('related to a target', (draw) => [hasRelationship({ targets: [target(draw)] })]),
  organizations('related by 3 types to a target', (draw) => {
    const types = [draw, draw, draw].map((one) => one.relationship().type);
    return [hasRelationship({ types, targets: [target(draw)], isActive: true })];
  }),
  organizations('related to a target, and a role', (draw) => [
    hasRelationship({ targets: [target(draw)], isActive: true }),
    token('role', draw.role()),
  ]),
  organizations('all, by name', () => [], [NAME]),
  organizations('active, by name', () => [token('active', 'true')], [NAME]),
  organizations('role, by name', (draw) => [token('role', draw.role())], [NAME]),
  organizations('name:contains, by name', (draw) => [contains(draw.part())], [NAME]),
  organizations('role, newest first', (draw) => [token('role', draw.role())], [NEWEST]),
  organizations('role, by date and name', (draw) => [token('role', draw.role())], [OLDEST, NAME]),
  organizations(
    'related to a target, by name',
    (draw) => [hasRelationship({ targets: [target(draw)] })],
    [NAME],
  ),
];

export const RELATIONSHIP_KINDS: readonly SearchKind[] = [
  relationships('relationship, its id', ({ uniqueId }) => [token('id', String(uniqueId))]),
  relationships('relationship, source', ({ sourceRow }, { links }) => [
    reference('source', links.codeOf(sourceRow)),
  ]),
  relationships('relationship, target', ({ target }) => [reference('target', target.code)]),
  relationships('relationship, target and active', ({ target }) => [
    reference('target', target.code),
    token('active', 'true'),
  ]),
  relationships('relationship, type', ({ type }) => [token('type', type)]),
  relationships('relationship, on a day', inEffect),
  relationships('relationship, type on a day', (drawn) => [
    token('type', drawn.type),
    ...inEffect(drawn),
  ]),
];

export const SEARCH_KINDS: readonly SearchKind[] = [
  ...STU3_KINDS,
  ...ORGANIZATION_KINDS,
  ...RELATIONSHIP_KINDS,
];
