/** Reads the parts of records that the index contains. */
import type { OrganizationRecord, RoleRecord, SourceRecord } from './record.ts';
import type { Rows } from './rows.ts';
import { slotOf } from './shape.ts';

export interface IndexedRecord
  extends Pick<OrganizationRecord, 'code' | 'isActive' | 'lastUpdated'>,
    Pick<SourceRecord, 'relationships'> {
  readonly name?: string | undefined;
  readonly recordClass?: string | undefined;
  readonly roles: readonly Pick<RoleRecord, 'code' | 'isPrimary' | 'isActive'>[];
  readonly address?: { readonly [Part in AddressPart]?: string | undefined };
}

type AddressPart = 'postalCode' | 'city' | 'country';

/**
 * Reads records without their relationships. Each call returns the same object, which is then the
 * record of another row. Records of the same shape share their list of roles.
 */
export function openIndexedRecords(rows: Rows): (row: number) => IndexedRecord {
  const cursor = new RecordCursor(rows);
  return (row) => cursor.moveTo(row);
}

/** The record of the last call of `moveTo`. Each part is read when it is first needed. */
class RecordCursor implements IndexedRecord {
  readonly #rows: Rows;
  readonly #plans: ReadingPlan[] = [];
  #row = 0;
  #known: ReadingPlan | undefined;
  /** The parts of this record that have been read. */
  #texts: Partial<Record<TextPart, string>> = {};

  constructor(rows: Rows) {
    this.#rows = rows;
  }

  moveTo(row: number): this {
    this.#row = row;
    this.#known = undefined;
    this.#texts = {};
    return this;
  }

  /** Who needs the codes and dates of records only does not parse their shapes. */
  get #plan(): ReadingPlan {
    if (this.#known !== undefined) return this.#known;
    const shape = this.#rows.shapeOf(this.#row);
    this.#plans[shape] ??= createPlan(this.#rows.shapeAt(shape));
    this.#known = this.#plans[shape];
    return this.#known;
  }

  get code(): string {
    return this.#rows.codeOf(this.#row);
  }

  get lastUpdated(): string {
    return this.#rows.lastUpdatedOf(this.#row);
  }

  get name(): string | undefined {
    return this.#textOf('name');
  }

  get isActive(): boolean {
    return this.#plan.isActive;
  }

  get roles(): IndexedRecord['roles'] {
    return this.#plan.roles;
  }

  get recordClass(): string | undefined {
    return this.#plan.recordClass;
  }

  get address(): this {
    return this;
  }

  get postalCode(): string | undefined {
    return this.#textOf('postalCode');
  }

  get city(): string | undefined {
    return this.#textOf('city');
  }

  get country(): string | undefined {
    return this.#textOf('country');
  }

  #textOf(part: TextPart): string | undefined {
    const slot = this.#plan.slots[part];
    if (slot === undefined) return undefined;
    this.#texts[part] ??= this.#rows.textAt(this.#row, slot);
    return this.#texts[part];
  }
}

type TextPart = 'name' | AddressPart;

/** How to read the records of a shape. */
interface ReadingPlan extends Pick<IndexedRecord, 'isActive' | 'roles' | 'recordClass'> {
  readonly slots: { readonly [Part in TextPart]?: number | undefined };
}

function createPlan({
  name,
  address: { postalCode, city, country } = { lines: [] },
  isActive,
  roles,
  recordClass,
}: OrganizationRecord): ReadingPlan {
  const slot = (marker: string | undefined) => (marker === undefined ? undefined : slotOf(marker));
  return {
    isActive,
    roles,
    recordClass,
    slots: {
      name: slot(name),
      postalCode: slot(postalCode),
      city: slot(city),
      country: slot(country),
    },
  };
}
