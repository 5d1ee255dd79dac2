/** A record as an edition stores it, which the next edition keeps without decoding it. */
import type { SourceRecord } from './record.ts';
import type { Rows } from './rows.ts';

export interface KeptRecord {
  /** The rows of its section, and its place there. */
  readonly rows: Rows;
  readonly row: number;
  readonly isReferenceOnly: boolean;
  readonly relations: Pick<SourceRecord, 'relationships' | 'successions'>;
  /** The two words of the hash. Zeros if the edition does not know the relations of its records. */
  readonly detailHash: readonly [high: number, low: number];
}
