/** Makes records from the texts of their rows. The shape of a row says where each text goes. */
import type {
  AddressRecord,
  OrganizationRecord,
  PeriodRecord,
  RoleRecord,
  TelecomRecord,
} from './record.ts';
import type { Shape } from './shape.ts';

/** The texts of a row, in the order of the slots of its shape. */
export interface RowTexts {
  next(): string;
}

/** Takes the texts of a part of a record, and makes the part. */
type Read<Part> = (texts: RowTexts) => Part;

export type ReadRecord = Read<OrganizationRecord>;

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * Makes readers of shapes. A reader takes the texts in the order in which `shapeOf` gave them their
 * slots, and does not look at the markers. Shapes share the readers of their parts, of which there
 * are few kinds, so that a reader of a shape is small.
 */
export function createReaderMaker(): (shape: Shape) => ReadRecord {
  const periodsReaders = new Map<string, Read<PeriodRecord[]>>();
  const roleReaders = new Map<string, Read<RoleRecord>>();
  const telecomReaders = new Map<string, Read<TelecomRecord>>();
  const addressReaders = new Map<string, Read<AddressRecord>>();

  const periodsReader = (periods: readonly PeriodRecord[]): Read<PeriodRecord[]> =>
    shared(periodsReaders, periods.map(periodKey).join(), () =>
      listReader(periods.map(readerOfPeriod)),
    );
  const roleReader = (role: RoleRecord): Read<RoleRecord> =>
    shared(roleReaders, roleKey(role), () => readerOfRole(role, periodsReader(role.periods)));
  const telecomReader = ({ system }: TelecomRecord): Read<TelecomRecord> =>
    shared(telecomReaders, system, () => (texts) => ({ system, value: texts.next() }));
  const addressReader = (address: AddressRecord): Read<AddressRecord> =>
    shared(addressReaders, addressKey(address), () => readerOfAddress(address));

  return ({
    name,
    isActive,
    lastUpdated,
    recordClass,
    periods,
    roles,
    telecoms,
    address,
    authority,
  }) => {
    const hasName = name !== undefined;
    const hasTime = lastUpdated.includes('T');
    const hasAuthority = authority !== undefined;
    const readPeriods = periodsReader(periods);
    const readRoles = listReader(roles.map(roleReader));
    const readTelecoms = listReader(telecoms.map(telecomReader));
    const readAddress = address && addressReader(address);
    return (texts) => {
      const code = texts.next();
      const date = texts.next();
      const changed = hasTime ? `${date}T${texts.next()}` : date;
      // The members are added in the order of those of the shape.
      const record = { code } as Writable<OrganizationRecord>;
      if (hasName) record.name = texts.next();
      record.isActive = isActive;
      record.lastUpdated = changed;
      if (recordClass !== undefined) record.recordClass = recordClass;
      record.periods = readPeriods(texts);
      record.roles = readRoles(texts);
      record.telecoms = readTelecoms(texts);
      if (readAddress !== undefined) record.address = readAddress(texts);
      if (hasAuthority) record.authority = texts.next();
      return record;
    };
  };
}

function shared<Reader>(known: Map<string, Reader>, key: string, make: () => Reader): Reader {
  let reader = known.get(key);
  if (reader === undefined) {
    reader = make();
    known.set(key, reader);
  }
  return reader;
}

function listReader<Part>(readers: readonly Read<Part>[]): Read<Part[]> {
  return (texts) => {
    const parts: Part[] = [];
    for (const read of readers) parts.push(read(texts));
    return parts;
  };
}

function periodKey({ kind, start, end }: PeriodRecord): string {
  return `${kind}${Number(start !== undefined)}${Number(end !== undefined)}`;
}

function readerOfPeriod({ kind, start, end }: PeriodRecord): Read<PeriodRecord> {
  if (start === undefined) {
    return end === undefined ? () => ({ kind }) : (texts) => ({ kind, end: texts.next() });
  }
  if (end === undefined) return (texts) => ({ kind, start: texts.next() });
  return (texts) => ({ kind, start: texts.next(), end: texts.next() });
}

function roleKey({ code, isPrimary, isActive, periods, uniqueId }: RoleRecord): string {
  return JSON.stringify([
    code,
    isPrimary,
    isActive,
    periods.map(periodKey),
    uniqueId !== undefined,
  ]);
}

function readerOfRole(
  { code, isPrimary, isActive, uniqueId }: RoleRecord,
  readPeriods: Read<PeriodRecord[]>,
): Read<RoleRecord> {
  const hasId = uniqueId !== undefined;
  return (texts) => {
    const periods = readPeriods(texts);
    if (!hasId) return { code, isPrimary, isActive, periods };
    return { code, isPrimary, isActive, periods, uniqueId: Number(texts.next()) };
  };
}

/** The optional parts of an address, in the order of their slots. */
const ADDRESS_PARTS = ['city', 'district', 'postalCode', 'country', 'uprn'] as const;

function addressKey(address: AddressRecord): string {
  const parts = ADDRESS_PARTS.map((part) => Number(address[part] !== undefined));
  return `${address.lines.length} ${parts.join('')}`;
}

function readerOfAddress(address: AddressRecord): Read<AddressRecord> {
  const lineCount = address.lines.length;
  const parts = ADDRESS_PARTS.filter((part) => address[part] !== undefined);
  return (texts) => {
    const lines: string[] = [];
    while (lines.length < lineCount) lines.push(texts.next());
    const read: Writable<AddressRecord> = { lines };
    for (const part of parts) read[part] = texts.next();
    return read;
  };
}
