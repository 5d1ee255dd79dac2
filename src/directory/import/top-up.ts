/** A top-up: changes that are applied to the current edition. It is never a whole directory. */
import type {
  CodeSystems,
  OrganizationRecord,
  RelationshipRecord,
  RoleRecord,
  SourceRecord,
} from '../record/record.ts';
import { lastUpdatedMs } from '../record/record.ts';
import type { SourceReceiver } from '../record/source.ts';

/** A record of a source that knows neither the primary role nor the organisation's own periods. */
export interface PartialRecord extends Omit<OrganizationRecord, 'periods' | 'roles'> {
  readonly isReferenceOnly: boolean;
  readonly roles: readonly Omit<RoleRecord, 'isPrimary'>[];
}

export type Patch =
  | { readonly kind: 'whole'; readonly record: SourceRecord }
  | { readonly kind: 'partial'; readonly record: PartialRecord };

/** Something that the source has removed. `id` is the code of an organisation, or a unique id. */
export interface Removal {
  readonly kind: 'organization' | 'relationship' | 'role' | 'succession';
  readonly id: string;
  /** A date or an instant. */
  readonly date: string;
}

/** Receives the contents of top-ups, and keeps them. */
export class TopUp {
  readonly #report: SourceReceiver;
  readonly leftOut: SourceReceiver['leftOut'];
  readonly warning: SourceReceiver['warning'];
  readonly progress: SourceReceiver['progress'];
  readonly patches = new Map<string, Patch>();
  /** By the code of the organisation that they belong to, and by unique id. */
  readonly relationships = new Map<string, Map<number, RelationshipRecord>>();
  /** The date of each removal by its id. */
  readonly removals: Readonly<Record<Removal['kind'], Map<string, string>>> = {
    organization: new Map(),
    relationship: new Map(),
    role: new Map(),
    succession: new Map(),
  };
  readonly systems: CodeSystems[] = [];
  /** The files that have been read. */
  readonly files: string[] = [];
  /** `YYYY-MM-DD`, of the files that state it. */
  readonly publicationDates: string[] = [];

  /** The end of the day on which the next edition is published. */
  readonly #todayEndsMs: number;

  constructor(report: SourceReceiver, now: Date) {
    this.#report = report;
    this.#todayEndsMs = Math.floor(now.getTime() / DAY_MS + 1) * DAY_MS;
    this.leftOut = report.leftOut;
    this.warning = report.warning;
    this.progress = report.progress;
  }

  /** Takes whole records, as the readers of releases report them. */
  wholeRecords(file: string): SourceReceiver {
    this.files.push(file);
    return {
      ...this.#report,
      // An edition keeps only the manifests of its releases.
      manifest: ({ publicationDate }) => void this.publicationDates.push(publicationDate),
      codeSystems: (systems) => this.codeSystems(systems),
      record: (record) => this.patch({ kind: 'whole', record }),
    };
  }

  /** Of several records of one organisation the one that was changed last counts, then the later one. */
  patch(patch: Patch): void {
    const { code } = patch.record;
    const before = this.patches.get(code);
    if (before !== undefined && isBetter(before, patch)) {
      this.leftOut('duplicate', code);
      return;
    }
    this.patches.set(code, patch);
  }

  /** A relationship with a unique id, and the code of the organisation that it belongs to. */
  relationship(code: string, relationship: RelationshipRecord & { uniqueId: number }): void {
    const known = this.relationships.get(code) ?? new Map<number, RelationshipRecord>();
    this.relationships.set(code, known.set(relationship.uniqueId, relationship));
  }

  /** Whether a date is after today. Such a date does not show which of two changes is later. */
  isToCome(ms: number): boolean {
    return ms >= this.#todayEndsMs;
  }

  /** A removal after today is left out, because it would hide every change until then. */
  removal({ kind, id, date }: Removal): void {
    if (this.isToCome(Date.parse(date))) {
      this.warning('future-removal', id, `the ${kind} is removed on ${date}`);
      return;
    }
    const before = this.removals[kind].get(id);
    if (before === undefined || before < date) this.removals[kind].set(id, date);
  }

  codeSystems(systems: CodeSystems): void {
    this.systems.push(systems);
  }
}

const DAY_MS = 86_400_000;

/** Whether the record that was read earlier stays: as for the records of releases. */
function isBetter({ record: earlier }: Patch, { record: later }: Patch): boolean {
  const [one, other] = [earlier, later].map((record) => record.isReferenceOnly === true);
  if (one !== other) return other === true;
  const newerMs = lastUpdatedMs(earlier) - lastUpdatedMs(later);
  return newerMs === 0 ? earlier.isActive && !later.isActive : newerMs > 0;
}

/** Whether a top-up can change the record of a row. `rowOf` gives the row of a code. */
export function touchedBy(
  { patches, relationships, removals }: TopUp,
  rowOf: (code: string) => number | undefined,
): (row: number) => boolean {
  const { organization, ...ofParts } = removals;
  // The parts of every record are compared with the ids of removed ones.
  if (Object.values(ofParts).some(({ size }) => size > 0)) return () => true;
  const rows = new Set<number | undefined>();
  for (const named of [patches, relationships, organization]) {
    for (const code of named.keys()) rows.add(rowOf(code));
  }
  return (row) => rows.has(row);
}
