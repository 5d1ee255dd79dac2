/** What is asked of a store of order responses: searches by each parameter, and pages of the feed. */

import { parseSearchQuery } from '../../src/fhir/search/parse-search-query.ts';
import { resourceSearchDefinition } from '../../src/fhir/search/resource-search.ts';
import { pageLengthMax } from '../../src/fhir/service/bundle-pieces.ts';
import type { ChangesRequest } from '../../src/fhir/stored/repository.ts';
import { storedSearchOf } from '../../src/orders/order-response/search-parameters.ts';
import type { ReaderCall } from '../../src/storage/repository/reader-answers.ts';
import type { SnapshotReader } from '../../src/storage/sqlite/snapshot-reader.ts';
import {
  DAYS,
  instantMs,
  NHS_NUMBER,
  nhsNumberOf,
  ORDER_NUMBER,
  RESPONSE_NUMBER,
  userNumberOf,
  uuidOf,
} from './data.ts';

export interface ReaderCase {
  readonly name: string;
  readonly what: string;
  /** A call about the order response with this ordinal, of so many. */
  readonly callOf: (ordinal: number, count: number, reader: SnapshotReader) => ReaderCall;
}

export const SEARCHES: readonly ReaderCase[] = [
  search(
    'nhs',
    'by NHS number',
    (at, count) => `request.patient.identifier=${NHS_NUMBER}|${nhsNumberOf(at, count)}`,
  ),
  search(
    'nhs-alone',
    'by NHS number without its system',
    (at, count) => `request.patient.identifier=${nhsNumberOf(at, count)}`,
  ),
  search('identifier', 'by identifier', (at) => `identifier=${RESPONSE_NUMBER}|R${at}`),
  search(
    'order',
    'by the identifier of the order',
    (at) => `request.identifier=${ORDER_NUMBER}|O${at}`,
  ),
  search('id', 'by id', (at) => `_id=${uuidOf(at)}`),
  search('reference', 'by what fulfils the order', (at) => `fulfillment=DiagnosticReport/${at}`),
  search('who', 'by practitioner', (at, count) => `who.identifier=${userNumberOf(at, count)}`),
  search('day', 'by day', (at, count) => `date=${dayOf(at, count)}`),
  search(
    'since',
    'from the last seven days',
    (_, count) => `date=ge${dayOf(count * (1 - 7 / DAYS), count)}`,
  ),
  search(
    'until',
    'from the first seven days',
    (_, count) => `date=lt${dayOf(count * (7 / DAYS), count)}`,
  ),
  search(
    'updated',
    'by the day of the last write',
    (at, count) => `_lastUpdated=${dayOf(at, count)}`,
  ),
  search(
    'updated-since',
    'written in the last seven days',
    (_, count) => `_lastUpdated=ge${dayOf(count * (1 - 7 / DAYS), count)}`,
  ),
  search('status', 'by a rare status', () => 'code=rejected'),
  search('sorted', 'by day, sorted by date', (at, count) => `date=${dayOf(at, count)}&_sort=date`),
  search(
    'two',
    'by NHS number and status',
    (at, count) => `request.patient.identifier=${nhsNumberOf(at, count)}&code:not=rejected`,
  ),
  search(
    'common',
    'by day and a common status',
    (at, count) => `date=${dayOf(at, count)}&code=completed`,
  ),
  search(
    'count',
    'by day, only the total',
    (at, count) => `date=${dayOf(at, count)}&_summary=count`,
  ),
];

export const FEED_PAGES: readonly ReaderCase[] = [
  feed('after', 'after a position, oldest first', (at, count, reader) => ({
    order: 'oldest-first',
    position: positionAt(reader, instantMs(at, count)),
  })),
  feed('before', 'before a position, newest first', (at, count, reader) => ({
    order: 'newest-first',
    position: positionAt(reader, instantMs(at, count)),
  })),
  feed('since', '`_since`, newest first', (at, count) => ({
    order: 'newest-first',
    sinceMs: instantMs(at, count),
  })),
  feed('follow-since', '`_since`, oldest first', (at, count) => ({
    order: 'oldest-first',
    position: '0',
    sinceMs: instantMs(at, count),
  })),
  feed('since-last', '`_since`, the last versions', (_, count) => ({
    order: 'newest-first',
    sinceMs: instantMs(count * 0.998, count),
  })),
];

function search(
  name: string,
  what: string,
  queryOf: (ordinal: number, count: number) => string,
): ReaderCase {
  return {
    name: `order-search-${name}`,
    what,
    callOf: (ordinal, count) => searchOf(queryOf(ordinal, count)),
  };
}

function feed(
  name: string,
  what: string,
  requestOf: (
    ordinal: number,
    count: number,
    reader: SnapshotReader,
  ) => Pick<ChangesRequest, 'order'> & Partial<ChangesRequest>,
): ReaderCase {
  const page = { types: ['OrderResponse'], count: 100, lengthMax: pageLengthMax(true) };
  return {
    name: `order-feed-${name}`,
    what,
    callOf: (ordinal, count, reader) => ({
      kind: 'changes',
      request: { ...page, ...requestOf(ordinal, count, reader) },
    }),
  };
}

function dayOf(ordinal: number, count: number): string {
  return new Date(instantMs(ordinal, count)).toISOString().slice(0, 10);
}

function searchOf(query: string): ReaderCall {
  const form = { format: 'json', isPretty: false, contentType: '' } as const;
  const {
    query: { criteria },
    sort,
    count,
  } = parseSearchQuery(
    { query, isLenient: false, form, formIssue: undefined },
    resourceSearchDefinition(storedSearchOf('OrderResponse')),
    { baseUrl: 'https://orders.example' },
  );
  const limits = { lengthMax: 4 * 1024 ** 2, candidatesMax: 100_000, keepMs: 3_600_000 };
  const request = { type: 'OrderResponse', criteria, sort, count, parameters: query, ...limits };
  return { kind: 'search', request };
}

/** The position of the first version since a time. */
function positionAt(reader: SnapshotReader, sinceMs: number): string {
  const { result } = reader.answer(
    {
      kind: 'changes',
      request: {
        types: ['OrderResponse'],
        count: 1,
        lengthMax: pageLengthMax(true),
        order: 'oldest-first',
        sinceMs,
      },
    },
    0,
  );
  const [first] = 'versions' in result ? result.versions : [];
  if (first === undefined) throw new Error('there is no version since then');
  return first.position;
}
