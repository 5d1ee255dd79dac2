/** Reads the data that was fetched from a peer into a receiver. Adds unchanged records to changes. */
import { createReadStream, statSync } from 'node:fs';
import type { Edition } from '../../directory/edition/edition.ts';
import { SourceError, type SourceReceiver } from '../../directory/import/source.ts';
import { keptRow } from '../../directory/record/kept-record.ts';
import type { CodeSystems, Concept } from '../../directory/record/record.ts';
import { readFhir } from '../fhir/read-fhir.ts';
import type { UnderstoodUris } from '../fhir/understood-uris.ts';
import { type ReleaseDocument, readRelease } from '../release-file/read-release.ts';

/** The parts of an edition that are needed to apply changes to it. */
export type EditionBefore = Pick<Edition, 'rows' | 'codeSystems'> & {
  readonly publicationDate: string;
};

export interface ReadPeerOptions {
  /** The path of the fetched data. */
  readonly spool: string;
  /** The name of the peer in messages. */
  readonly name: string;
  /** The current edition. */
  readonly before: EditionBefore | undefined;
  /** Whether records of the current edition that were not fetched stay. */
  readonly areChanges: boolean;
  readonly uris: UnderstoodUris;
  readonly now: Date;
  readonly receiver: SourceReceiver;
}

/** Returns the number of records of the current edition that the release does not have. */
export async function readPeerRelease(
  options: Pick<ReadPeerOptions, 'spool' | 'name' | 'before' | 'receiver'>,
): Promise<number> {
  const { name, before, receiver } = options;
  const fetched = new Set<string>();
  await readRelease(documentOf(options), {
    ...receiver,
    record: (record) => {
      if (record.isReferenceOnly !== true) fetched.add(record.code);
      receiver.record(record);
    },
  });
  if (fetched.size === 0) {
    throw new SourceError(`${name} has no organisations. Nothing was published.`);
  }
  return before === undefined ? 0 : eachOther(before, fetched, () => {});
}

function documentOf({ spool, name }: Pick<ReadPeerOptions, 'spool' | 'name'>): ReleaseDocument {
  const bytesTotal = statSync(spool).size;
  return { name, chunks: createReadStream(spool), bytesBefore: 0, bytesTotal: () => bytesTotal };
}

/** Returns the number of records that were not fetched. For changes, the receiver gets these too. */
export async function readPeer(options: ReadPeerOptions): Promise<number> {
  const { before, areChanges, uris, now, receiver } = options;
  const fetched = new Set<string>();
  let codeSystems: CodeSystems = { roles: [], relationships: [], recordClasses: [] };
  await readFhir(documentOf(options), {
    form: 'ndjson',
    uris,
    now,
    mayBeEmpty: areChanges,
    receiver: {
      ...receiver,
      record: (record) => {
        fetched.add(record.code);
        receiver.record(record);
      },
      codeSystems: (systems) => {
        codeSystems = systems;
      },
    },
  });
  if (before === undefined) {
    receiver.codeSystems(codeSystems);
    return 0;
  }
  receiver.codeSystems({
    roles: inOrderOf(before.codeSystems.roles, codeSystems.roles, areChanges),
    relationships: inOrderOf(
      before.codeSystems.relationships,
      codeSystems.relationships,
      areChanges,
    ),
    recordClasses: inOrderOf(
      before.codeSystems.recordClasses,
      codeSystems.recordClasses,
      areChanges,
    ),
  });
  if (!areChanges) return eachOther(before, fetched, () => {});
  receiver.manifest({ publicationDate: before.publicationDate, publicationType: 'Full' });
  const { rows } = before;
  return eachOther(before, fetched, (row) => receiver.keep(keptRow(rows, row)));
}

/** Concepts keep their order, because entity tags depend on it. New ones follow at the end. */
function inOrderOf(
  before: readonly Concept[],
  fetched: readonly Concept[],
  othersStay: boolean,
): readonly Concept[] {
  const byCode = new Map(fetched.map((concept) => [concept.code, concept]));
  const known = before.flatMap((concept) => {
    const now = byCode.get(concept.code) ?? (othersStay ? concept : undefined);
    byCode.delete(concept.code);
    return now ?? [];
  });
  return [...known, ...byCode.values()];
}

function eachOther(
  { rows }: EditionBefore,
  fetched: ReadonlySet<string>,
  report: (row: number) => void,
): number {
  let others = 0;
  for (let row = 0; row < rows.count; row++) {
    if (fetched.has(rows.codeOf(row))) continue;
    report(row);
    others += 1;
  }
  return others;
}
