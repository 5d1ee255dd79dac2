/** The two sections of an edition as one face shows them: full records, and reference-only ones. */
import { httpDate } from '../../fhir/http/headers.ts';
import type { Format } from '../../fhir/http/negotiate.ts';
import type { Edition } from '../edition/edition.ts';
import type { RecordSection } from '../edition/edition-records.ts';
import { versionIdOf } from '../edition/kept-changes.ts';
import type { DirectoryFace, RecordState } from '../face.ts';
import { lastUpdatedMs } from '../record/record.ts';
import type { Rows } from '../record/rows.ts';
import type { ChangeTextsOf } from './templates.ts';

/** Rows are numbered over both sections, except where they are called own rows. */
export interface RenderedSection {
  readonly rows: Rows;
  /** The number of its first row. */
  readonly firstRow: number;
  readonly isReferenceOnly: boolean;
  stateOf(row: number): RecordState;
  /** Takes own rows. */
  readonly changeTextsOf: ChangeTextsOf;
  etagOf(row: number, format: Format): string;
  /** The date of the last change as an HTTP date. */
  lastModifiedOf(row: number): string;
}

/**
 * An entity tag is the version of the resource, as FHIR says. If a face has no versions, it has 16
 * digits that change with the content and `mask`: everything else that answers depend on.
 */
export function renderSections(
  { isComplete = false }: DirectoryFace,
  edition: Edition,
  mask: Buffer,
): readonly [RenderedSection, RenderedSection?] {
  const changeOf = createChangeOf(edition);
  const maskWords = [mask.readUInt32BE(0), mask.readUInt32BE(4)] as const;
  const render = ({ rows }: RecordSection, place: Place): RenderedSection => {
    const { firstRow, isReferenceOnly } = place;
    return {
      ...place,
      rows,
      stateOf: (row) => ({ ...changeOf(row).state, isReferenceOnly }),
      changeTextsOf: (ownRow) => changeOf(ownRow + firstRow).texts,
      etagOf: (row, format) =>
        isComplete
          ? `W/"${changeOf(row).state.versionId}"`
          : `W/"${digitsOf(rows, row - firstRow, maskWords)}-${format}"`,
      lastModifiedOf: (row) =>
        isComplete
          ? changeOf(row).date
          : httpDate(lastUpdatedMs({ lastUpdated: rows.lastUpdatedOf(row - firstRow) })),
    };
  };
  const first = render(edition, { firstRow: 0, isReferenceOnly: false });
  const { references, rows } = edition;
  if (!isComplete || references.rows.count === 0) return [first];
  return [first, render(references, { firstRow: rows.count, isReferenceOnly: true })];
}

type Place = Pick<RenderedSection, 'firstRow' | 'isReferenceOnly'>;

/** What answers need to know of the edition in which a record changed last. */
interface Change {
  readonly state: Pick<RecordState, 'versionId' | 'lastUpdated'>;
  readonly texts: ReturnType<ChangeTextsOf>;
  readonly date: string;
}

/** Many records changed last in the same edition, so each change is made once. */
function createChangeOf(edition: Edition): (row: number) => Change {
  const changes = new Map<number, Change>();
  return (row) => {
    const published = edition.changedIn(row);
    const { number, publishedAt } = published;
    const known = changes.get(number);
    if (known !== undefined) return known;
    const versionId = versionIdOf(published);
    const change: Change = {
      state: { versionId, lastUpdated: publishedAt },
      texts: [Buffer.from(versionId), Buffer.from(publishedAt)],
      date: httpDate(Date.parse(publishedAt)),
    };
    changes.set(number, change);
    return change;
  };
}

function digitsOf({ hashes }: Rows, ownRow: number, mask: readonly [number, number]): string {
  return hex(hashes[2 * ownRow]! ^ mask[0]) + hex(hashes[2 * ownRow + 1]! ^ mask[1]);
}

/** Eight digits. */
function hex(word: number): string {
  return (
    HEX_BYTES[word >>> 24]! +
    HEX_BYTES[(word >>> 16) & 0xff]! +
    HEX_BYTES[(word >>> 8) & 0xff]! +
    HEX_BYTES[word & 0xff]!
  );
}

const HEX_BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
