/** The quick look at the codes of changes never rules out a reader that a change matches. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { FieldEntry, ResourceCriterion } from '../../src/fhir/search/criterion.ts';
import {
  type ChangeFacts,
  createSieve,
  matchesChange,
} from '../../src/fhir/stored/change-match.ts';
import { repetitions } from '../campaign.ts';
import { fc } from '../property.ts';

const field = fc.constantFrom('identifier', 'code', '_id');
const code = fc.constantFrom('a', 'b', 'A');
const system = fc.constantFrom('s', 't', undefined);

const entry = fc
  .record({ field, code, system })
  .map(({ system, ...own }): FieldEntry => ({ ...own, ...(system && { system }) }));
const entries = fc.array(entry, { maxLength: 3 });

const facts: fc.Arbitrary<ChangeFacts> = fc
  .record({ entries: fc.option(entries), before: fc.option(entries), isErased: fc.boolean() })
  .map(({ entries, before, isErased }) => ({
    ...(entries && { entries }),
    ...(before && { before: { entries: before, isErased } }),
  }));

const token = fc
  .record({
    field,
    values: fc.array(fc.record({ code: fc.option(code), system }), { minLength: 1, maxLength: 2 }),
    ignoreCase: fc.boolean(),
  })
  .map(({ field, values, ignoreCase }) => ({
    type: 'token' as const,
    field,
    ignoreCase,
    values: values.map(({ code, system }) => ({
      ...(code && { code }),
      ...(system && { system }),
    })),
  }));

const criterion: fc.Arbitrary<ResourceCriterion> = fc.oneof(
  token,
  token.map((criterion) => ({ type: 'not' as const, criterion })),
  fc.record({
    type: fc.constant('missing' as const),
    field,
    isMissing: fc.boolean(),
  }),
);

it('what a change matches passes the sieve', () => {
  let rejected = 0;
  fc.assert(
    fc.property(
      fc.array(facts, { maxLength: 3 }),
      fc.array(criterion, { maxLength: 2 }),
      (changes, criteria) => {
        const mayMatch = createSieve(changes)(criteria);
        if (!mayMatch) rejected++;
        assert.ok(mayMatch || !changes.some((change) => matchesChange(criteria, change)));
      },
    ),
    { numRuns: repetitions(500, 2000) },
  );
  assert.ok(rejected > 0, 'the sieve holds some back');
});
