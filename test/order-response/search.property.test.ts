/** Any order response is found by each of its own values, and by no other value. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type FieldEntry, matches } from '../../src/fhir/search/criterion.ts';
import { parseSearchQuery } from '../../src/fhir/search/parse-search-query.ts';
import { entriesOf } from '../../src/fhir/search/resource-parameter.ts';
import { resourceSearchDefinition } from '../../src/fhir/search/resource-search.ts';
import { storedSearchOf } from '../../src/orders/order-response/search-parameters.ts';
import { repetitions } from '../campaign.ts';
import { fc } from '../property.ts';
import { arbitraryOrderResponse } from './arbitrary-order-response.ts';

const SEARCH = storedSearchOf('OrderResponse');
const DEFINITION = resourceSearchDefinition(SEARCH);

function criteriaOf(query: string) {
  const form = { format: 'json', isPretty: false, contentType: '' } as const;
  const request = { query, isLenient: false, form, formIssue: undefined };
  return parseSearchQuery(request, DEFINITION, { baseUrl: 'https://here.test' }).query.criteria;
}

/** The value that a client sends to find the entry. */
function valueOfEntry(entry: FieldEntry): string {
  if ('start' in entry) return new Date(entry.start).toISOString();
  if ('prefix' in entry) return entry.prefix + entry.id;
  if ('code' in entry) return `${escaped(entry.system ?? '')}|${escaped(entry.code)}`;
  return escaped(entry.folded);
}

function escaped(text: string): string {
  return text.replace(/[\\,$|]/g, '\\$&');
}

it('an order response is found by each of its values', () => {
  fc.assert(
    fc.property(arbitraryOrderResponse, (resource) => {
      const entries = entriesOf(resource, SEARCH.parameters);
      for (const entry of entries) {
        const isDate = 'start' in entry;
        const value = isDate ? `ge${valueOfEntry(entry)}` : valueOfEntry(entry);
        if (value.trim() === '') continue;
        const [criterion] = criteriaOf(`${entry.field}=${encodeURIComponent(value)}`);
        assert.ok(criterion && matches(criterion, entries), `${entry.field}=${value}`);
        // A status that FHIR does not have is refused.
        if (isDate || 'folded' in entry || entry.field === 'code') continue;
        const [not] = criteriaOf(`${entry.field}=${encodeURIComponent(`${value}-`)}`);
        const others = entries.filter((each) => valueOfEntry(each) === `${value}-`);
        assert.equal(not && matches(not, entries), others.length > 0, `${entry.field}=${value}-`);
      }
    }),
    { numRuns: repetitions(70, 200) },
  );
});
