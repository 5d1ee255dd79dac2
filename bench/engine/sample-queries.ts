/** Random searches whose texts, places and dates are drawn from the records themselves. */

import type { Criterion, StringField, StringMatch } from '../../src/directory/query.ts';
import { lastUpdatedMs, type OrganizationRecord } from '../../src/directory/record.ts';
import type { Random, SampleRecords } from './sample-records.ts';

export interface QueryKind {
  readonly name: string;
  readonly criteria: (random: Random) => Criterion[];
}

export function queryKindsOf({ count, recordAt }: SampleRecords): QueryKind[] {
  const recordBy = (random: Random): OrganizationRecord => recordAt(Math.floor(random() * count));

  const textBy = (random: Random, field: StringField): string => {
    for (;;) {
      const { name, address } = recordBy(random);
      const text = field === 'name' ? name : address?.[field];
      if (text !== undefined && text.length >= 3) return text;
    }
  };
  const between = (random: Random, low: number, high: number) =>
    low + Math.floor(random() * (high - low + 1));
  const beginning = (random: Random, field: StringField, least: number) => {
    const text = textBy(random, field);
    return text.slice(0, between(random, least, text.length));
  };
  const part = (random: Random, field: StringField, least: number, most = 100) => {
    const text = textBy(random, field);
    const length = between(random, least, Math.min(most, text.length));
    const start = between(random, 0, text.length - length);
    const found = text.slice(start, start + length);
    return found.trim().length < least ? text.slice(0, least) : found;
  };
  const string = (field: StringField, match: StringMatch, ...values: string[]): Criterion => ({
    kind: 'string',
    field,
    match,
    values,
  });
  const roleBy = (random: Random) => {
    const { roles } = recordBy(random);
    return roles[Math.floor(random() * roles.length)]!.code;
  };
  const role = (random: Random, primary?: boolean): Criterion => ({
    kind: 'role',
    values: [roleBy(random)],
    ...(primary === undefined ? {} : { primary }),
  });
  const changed = (random: Random): Criterion => ({
    kind: 'changed',
    values: [lastUpdatedMs(recordBy(random))],
  });
  const active = (random: Random): Criterion => ({ kind: 'active', values: [random() < 0.7] });
  const nameBeginning = (random: Random) =>
    string('name', 'startsWith', beginning(random, 'name', 3));
  const namePart = (random: Random) => string('name', 'contains', part(random, 'name', 3));
  const cityBeginning = (random: Random) =>
    string('city', 'startsWith', beginning(random, 'city', 2));
  const postalCodeBeginning = (random: Random) =>
    string('postalCode', 'startsWith', beginning(random, 'postalCode', 2));

  const any = [
    nameBeginning,
    namePart,
    cityBeginning,
    postalCodeBeginning,
    (random: Random) => string('city', 'contains', part(random, 'city', 2)),
    (random: Random) => string('postalCode', 'contains', part(random, 'postalCode', 2)),
    role,
    (random: Random) => role(random, random() < 0.5),
    active,
    changed,
  ];
  const anyBy = (random: Random) => any[Math.floor(random() * any.length)]!(random);

  return [
    {
      name: '_id',
      criteria: (r) => [{ kind: 'code', values: [recordBy(r).code], ignoreCase: false }],
    },
    {
      name: 'identifier',
      criteria: (r) => [
        { kind: 'code', values: [recordBy(r).code.toLowerCase()], ignoreCase: true },
      ],
    },
    { name: 'name', criteria: (r) => [nameBeginning(r)] },
    {
      name: 'name, 3 letters',
      criteria: (r) => [string('name', 'startsWith', textBy(r, 'name').slice(0, 3))],
    },
    { name: 'name:contains', criteria: (r) => [namePart(r)] },
    {
      name: 'name:contains, 3 letters',
      criteria: (r) => [string('name', 'contains', part(r, 'name', 3, 3))],
    },
    {
      name: 'name:contains, a word',
      criteria: (r) => [string('name', 'contains', wordBy(r, textBy))],
    },
    { name: 'name:exact', criteria: (r) => [string('name', 'exact', textBy(r, 'name'))] },
    { name: 'postcode', criteria: (r) => [postalCodeBeginning(r)] },
    {
      name: 'postcode without space',
      criteria: (r) => [
        string('postalCode', 'startsWith', textBy(r, 'postalCode').replace(' ', '')),
      ],
    },
    {
      name: 'postcode:contains',
      criteria: (r) => [string('postalCode', 'contains', part(r, 'postalCode', 2))],
    },
    {
      name: 'postcode:exact',
      criteria: (r) => [string('postalCode', 'exact', textBy(r, 'postalCode'))],
    },
    { name: 'city', criteria: (r) => [cityBeginning(r)] },
    {
      name: 'city, 2 letters',
      criteria: (r) => [string('city', 'startsWith', textBy(r, 'city').slice(0, 2))],
    },
    { name: 'city:contains', criteria: (r) => [string('city', 'contains', part(r, 'city', 2))] },
    {
      name: 'city:contains, 2 letters',
      criteria: (r) => [string('city', 'contains', part(r, 'city', 2, 2))],
    },
    { name: 'city:exact', criteria: (r) => [string('city', 'exact', textBy(r, 'city'))] },
    { name: 'active', criteria: (r) => [active(r)] },
    { name: 'role', criteria: (r) => [role(r)] },
    { name: 'role, primary', criteria: (r) => [role(r, true)] },
    { name: 'role, not primary', criteria: (r) => [role(r, false)] },
    { name: '_lastUpdated', criteria: (r) => [changed(r)] },
    {
      name: 'OR of 2 to 5 roles',
      criteria: (r) => [
        { kind: 'role', values: Array.from({ length: between(r, 2, 5) }, () => roleBy(r)) },
      ],
    },
    {
      name: 'OR of 2 to 5 name:contains',
      criteria: (r) => [
        string(
          'name',
          'contains',
          ...Array.from({ length: between(r, 2, 5) }, () => part(r, 'name', 3)),
        ),
      ],
    },
    {
      name: 'name:contains, 3 letters AND active',
      criteria: (r) => [string('name', 'contains', part(r, 'name', 3, 3)), active(r)],
    },
    { name: 'role AND active AND _lastUpdated', criteria: (r) => [role(r), active(r), changed(r)] },
    { name: 'city AND role', criteria: (r) => [cityBeginning(r), role(r)] },
    { name: 'AND of any 2', criteria: (r) => [anyBy(r), anyBy(r)] },
    { name: 'AND of any 3', criteria: (r) => [anyBy(r), anyBy(r), anyBy(r)] },
    { name: 'AND of any 5', criteria: (r) => Array.from({ length: 5 }, () => anyBy(r)) },
  ];
}

function wordBy(random: Random, textBy: (random: Random, field: StringField) => string): string {
  for (;;) {
    const words = textBy(random, 'name')
      .split(' ')
      .filter((word) => word.length >= 3);
    if (words.length > 0) return words[Math.floor(random() * words.length)]!;
  }
}
