/** All records of an edition as a batch, which a builder of the next edition takes without decoding them. */
import { jsonNamed, wordsNamed } from '../arrays/array-named.ts';
import { type NamedArrays, REFERENCES, withoutPrefix } from '../arrays/arrays.ts';
import { FirstNumbers } from '../arrays/first-numbers.ts';
import { decodeTexts } from '../arrays/text-list.ts';
import { openCodeTable } from '../index/columns/code-table.ts';
import { CODE_PREFIX } from '../index/columns/token-columns.ts';
import { openTexts } from '../index/texts/suffixes.ts';
import { haveLinks, RELATIONSHIPS, SUCCESSIONS, TARGETS } from '../links/edition-links.ts';
import { EditionLinksBuilder } from '../links/edition-links-builder.ts';
import type { LinkNames } from '../links/open-links.ts';
import {
  type EditionLinksBatch,
  type LinksBatch,
  type RecordsBatch,
  type RowsBatch,
  SOURCE_HASHES,
} from '../record/record-batches.ts';
import { RowsBuilder } from './rows-builder.ts';

/**
 * The records are in the order of the rows: full ones, then reference-only ones. The batch shares the
 * memory of the arrays.
 */
export function batchOfEdition(arrays: NamedArrays): RecordsBatch {
  const references = withoutPrefix(REFERENCES, arrays);
  const full = rowsBatch(arrays);
  const others =
    references['rows.shape'] === undefined ? new RowsBuilder().take() : rowsBatch(references);
  const { length: fullCount } = full.shapeOf;
  const places = new Uint32Array(fullCount + others.shapeOf.length);
  for (let row = 0; row < places.length; row++) {
    places[row] = row < fullCount ? row * 2 : (row - fullCount) * 2 + 1;
  }
  const isKnown = haveLinks(arrays);
  return {
    full,
    references: others,
    places,
    links: isKnown ? linksBatch(arrays, references) : noLinks(places.length),
    detailHashes: isKnown
      ? wordsNamed(arrays, 'details.hashes')
      : new Uint32Array(places.length * 2),
    sourceHashes: arrays[SOURCE_HASHES] ?? new Uint32Array(places.length * 2),
  };
}

function rowsBatch(arrays: NamedArrays): RowsBatch {
  const starts = wordsNamed(arrays, 'rows.shape-starts');
  return {
    shapes: {
      texts: arrays['rows.shapes'] as Uint8Array,
      lengths: Uint32Array.from(starts.subarray(1), (end, number) => end - starts[number]!),
      haveTime: arrays['rows.shape-has-time']!,
    },
    shapeOf: arrays['rows.shape']!,
    offsets: arrays['rows.offsets']!.subarray(0, -1),
    hashes: arrays['rows.hashes']!,
    values: arrays['rows.values'] as Uint8Array,
  };
}

/** The targets are numbered anew, because most records are the target of no other. */
function linksBatch(arrays: NamedArrays, references: NamedArrays): EditionLinksBatch {
  const targets = new FirstNumbers();
  const links = (prefix: string): LinksBatch => {
    const words = (name: string) => arrays[`${prefix}.${name}`]!;
    const { types, roles } = jsonNamed<LinkNames>(arrays, `${prefix}.names`);
    return {
      types,
      roles,
      first: words('first').subarray(0, -1),
      kinds: words('kinds'),
      ids: words('ids'),
      targets: Uint32Array.from(words('targets'), (target) => targets.numberOf(target)),
      targetRoles: words('target-roles'),
      targetRoleIds: words('target-role-ids'),
      periodFirst: words('period-first').subarray(0, -1),
      periodStarts: words('period-starts'),
      periodEnds: words('period-ends'),
    };
  };
  const [relationships, successions] = [links(RELATIONSHIPS), links(SUCCESSIONS)];
  const full = openCodeTable(CODE_PREFIX, arrays);
  const other = openCodeTable(CODE_PREFIX, references);
  const further = decodeTexts(openTexts(TARGETS, arrays));
  const codeOf = (target: number): string => {
    if (target < full.count) return full.codeOf(target);
    const reference = target - full.count;
    return reference < other.count ? other.codeOf(reference) : further[reference - other.count]!;
  };
  return { codes: targets.order.map(codeOf), relationships, successions };
}

function noLinks(records: number): EditionLinksBatch {
  const builder = new EditionLinksBuilder();
  for (let record = 0; record < records; record++) builder.add({});
  return builder.take();
}
