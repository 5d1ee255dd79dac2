/** Reads the parts of records that the index contains, and skips the rest. */
import { lengthBytes, readLength } from './leb128.ts';
import type { AddressRecord, OrganizationRecord, RoleRecord, SourceRecord } from './record.ts';
import type { Rows } from './rows.ts';
import { CODE_SLOT, LAST_UPDATED_SLOT, slotOf } from './shape.ts';

export interface IndexedRecord
  extends Pick<OrganizationRecord, 'code' | 'name' | 'isActive' | 'lastUpdated' | 'recordClass'>,
    Pick<SourceRecord, 'relationships'> {
  readonly roles: readonly Pick<RoleRecord, 'code' | 'isPrimary' | 'isActive'>[];
  readonly address?: Pick<AddressRecord, 'postalCode' | 'city' | 'country'>;
}

/** Reads records without their relationships. Records of the same shape share their list of roles. */
export function openIndexedRecords(rows: Rows): (row: number) => IndexedRecord {
  const plans: ReadingPlan[] = [];
  const text = Buffer.from(rows.values.buffer, rows.values.byteOffset, rows.values.byteLength);
  const found: string[] = [];

  const readTexts = (row: number, { wanted }: ReadingPlan): void => {
    const { values } = rows;
    let position = rows.startOf(row);
    for (let slot = 0; slot < wanted.length; slot++) {
      const length = readLength(values, position);
      position += lengthBytes(length);
      if (wanted[slot] === true) found[slot] = text.toString('utf8', position, position + length);
      position += length;
    }
  };

  return (row) => {
    const shape = rows.shapeOf(row);
    plans[shape] ??= createPlan(rows.shapeAt(shape));
    const plan = plans[shape];
    readTexts(row, plan);
    const { name, postalCode, city, country } = plan.slots;
    const date = found[LAST_UPDATED_SLOT]!;
    return {
      code: found[CODE_SLOT]!,
      isActive: plan.isActive,
      roles: plan.roles,
      lastUpdated: plan.hasTime ? `${date}T${found[LAST_UPDATED_SLOT + 1]}` : date,
      ...(plan.recordClass !== undefined && { recordClass: plan.recordClass }),
      ...(name !== undefined && { name: found[name]! }),
      address: {
        ...(postalCode !== undefined && { postalCode: found[postalCode]! }),
        ...(city !== undefined && { city: found[city]! }),
        ...(country !== undefined && { country: found[country]! }),
      },
    };
  };
}

/** How to read the records of a shape. */
interface ReadingPlan extends Pick<IndexedRecord, 'isActive' | 'roles' | 'recordClass'> {
  readonly hasTime: boolean;
  readonly slots: Readonly<Partial<Record<'name' | 'postalCode' | 'city' | 'country', number>>>;
  /** Whether each slot is wanted, up to the last one that is. */
  readonly wanted: readonly boolean[];
}

function createPlan(shape: OrganizationRecord): ReadingPlan {
  const { name, address, isActive, roles, recordClass, lastUpdated } = shape;
  const texts = { name, ...pick(address) };
  const slots = Object.fromEntries(
    Object.entries(texts).flatMap(([part, marker]) =>
      marker === undefined ? [] : [[part, slotOf(marker)]],
    ),
  );
  const hasTime = lastUpdated.includes('T');
  const all = new Set([
    CODE_SLOT,
    LAST_UPDATED_SLOT,
    ...(hasTime ? [LAST_UPDATED_SLOT + 1] : []),
    ...Object.values(slots),
  ]);
  const wanted = Array.from({ length: Math.max(...all) + 1 }, (_, slot) => all.has(slot));
  return {
    isActive,
    roles,
    ...(recordClass !== undefined && { recordClass }),
    hasTime,
    slots,
    wanted,
  };
}

function pick({ postalCode, city, country }: Partial<AddressRecord> = {}) {
  return { postalCode, city, country };
}
