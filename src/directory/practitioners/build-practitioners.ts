/** Collects practitioners in any order, and makes the arrays that are stored. */
import { createOffsets, jsonBytes } from '../arrays/array-named.ts';
import type { NamedArrays } from '../arrays/arrays.ts';
import { startsOf } from '../arrays/first-numbers.ts';
import { createTextWriter, encodeTexts, type TextList } from '../arrays/text-list.ts';
import { compactDay, searchText } from './practitioner-arrays.ts';
import {
  type AboutPractitioners,
  type Membership,
  type NumberKind,
  PLACEHOLDER_CODES,
  type Practitioner,
  type PractitionerFile,
  type PractitionerNumber,
} from './practitioners.ts';

/** Without what comes from other rows and files. */
export type PractitionerRow = Omit<Practitioner, 'memberships' | 'registeredName' | 'numbers'> & {
  readonly numbers?: readonly PractitionerNumber[];
  readonly membership?: Membership | undefined;
};

/** How someone is in the register of the General Medical Council. */
export interface RegisteredName {
  readonly gmc: string;
  readonly name: string;
}

export interface BuiltPractitioners
  extends Pick<AboutPractitioners, 'practitioners' | 'memberships'> {
  readonly arrays: NamedArrays;
  /** The codes of organisations in memberships, sorted. */
  readonly organisations: readonly string[];
}

interface Draft extends Omit<Practitioner, 'memberships' | 'numbers' | 'roles'> {
  readonly roles: Set<string>;
  readonly memberships: Map<string, Membership>;
  readonly numbers: Map<NumberKind, string>;
}

export class PractitionersBuilder {
  readonly #drafts = new Map<string, Draft>();
  /** Memberships and registered names of codes that another file has. */
  readonly #memberships: (readonly [code: string, membership: Membership])[] = [];
  readonly #registered = new Map<string, RegisteredName>();
  readonly #files: Record<string, Uint8Array> = {};

  get count(): number {
    return this.#drafts.size;
  }

  /** Returns false, and changes nothing, if the code is known and `isOnly` says that it must be new. */
  add(row: PractitionerRow, isOnly: boolean): boolean {
    const { roles, numbers = [], membership, ...rest } = row;
    const known = this.#drafts.get(row.code);
    if (known !== undefined && isOnly) return false;
    const draft = known ?? {
      ...rest,
      roles: new Set<string>(),
      memberships: new Map<string, Membership>(),
      numbers: new Map<NumberKind, string>(),
    };
    if (known === undefined) this.#drafts.set(row.code, draft);
    else if (row.isActive && !known.isActive)
      this.#drafts.set(row.code, { ...known, isActive: true });
    for (const role of roles) draft.roles.add(role);
    for (const { kind, value } of numbers) draft.numbers.set(kind, value);
    if (membership !== undefined) addMembership(draft, membership);
    return true;
  }

  /** A membership of a code that another row adds, sooner or later. */
  addMembership(code: string, membership: Membership): void {
    this.#memberships.push([code, membership]);
  }

  addRegistered(code: string, registered: RegisteredName): void {
    this.#registered.set(code, registered);
  }

  /** `gzip`: the bytes of the file as it was given. */
  addFile(name: PractitionerFile, gzip: Uint8Array): void {
    this.#files[`file.${name}`] = gzip;
  }

  finish(): BuiltPractitioners {
    this.#join();
    const drafts = [...this.#drafts.values()].sort((a, b) => (a.code < b.code ? -1 : 1));
    const members = drafts.flatMap(({ memberships }) => [...memberships.values()]);
    const organisations = [...new Set(members.map(({ organisation }) => organisation))].sort();
    return {
      practitioners: drafts.length,
      memberships: members.length,
      organisations,
      arrays: {
        ...practitionerArrays(drafts),
        ...numberArrays(drafts),
        ...membershipArrays(drafts, members, organisations),
        ...this.#files,
      },
    };
  }

  #join(): void {
    for (const [code, membership] of this.#memberships) {
      const draft = this.#drafts.get(code);
      if (draft !== undefined) addMembership(draft, membership);
    }
    for (const [code, { gmc, name }] of this.#registered) {
      const draft = this.#drafts.get(code);
      if (draft === undefined) continue;
      draft.numbers.set(6, gmc);
      this.#drafts.set(code, { ...draft, registeredName: name });
    }
  }
}

/** Whether the code stands for no person. */
export function isPlaceholder(code: string): boolean {
  return PLACEHOLDER_CODES.has(code);
}

/** A later row knows more: a file of memberships has the ends that the others lack. */
function addMembership({ memberships }: Draft, membership: Membership): void {
  const { kind, organisation, from } = membership;
  const key = `${kind} ${organisation} ${from ?? ''}`;
  const known = memberships.get(key);
  if (known?.to === undefined) memberships.set(key, membership);
}

function practitionerArrays(drafts: readonly Draft[]): NamedArrays {
  const groups = new Map<string, number>();
  const group = createOffsets(drafts.length, MANY);
  for (const [row, { type, roles }] of drafts.entries()) {
    const key = [type, ...[...roles].sort()].join(' ');
    if (!groups.has(key)) groups.set(key, groups.size);
    group[row] = groups.get(key)!;
  }
  const found = createTextWriter();
  for (const { name, registeredName } of drafts) found.add(searchText(name, registeredName), true);
  return {
    ...listed('codes', encodeTexts(drafts.map(({ code }) => code))),
    ...listed('names', encodeTexts(drafts.map(({ name }) => name))),
    ...listed('registered', encodeTexts(drafts.map(({ registeredName = '' }) => registeredName))),
    ...listed('search', found.finish()),
    groups: jsonBytes([...groups.keys()]),
    group,
    active: Uint8Array.from(drafts, ({ isActive }) => Number(isActive)),
  };
}

/** More groups of roles than 8 bits have, and fewer than 16. */
const MANY = 1 << 15;

function numberArrays(drafts: readonly Draft[]): NamedArrays {
  const all = drafts.flatMap(({ numbers }) => [...numbers].sort(([a], [b]) => a - b));
  const values = all.map(([, value]) => value);
  const order = Uint32Array.from(values.keys()).sort((a, b) => (values[a]! < values[b]! ? -1 : 1));
  return {
    'number-first': startsOf(Uint32Array.from(drafts, ({ numbers }) => numbers.size)),
    'number-kind': Uint8Array.from(all, ([kind]) => kind),
    ...listed('number-value', encodeTexts(values)),
    'number-order': order,
  };
}

function membershipArrays(
  drafts: readonly Draft[],
  members: readonly Membership[],
  organisations: readonly string[],
): NamedArrays {
  const numbers = new Map(organisations.map((code, at) => [code, at]));
  const organisation = Uint32Array.from(members, (each) => numbers.get(each.organisation)!);
  const counts = new Uint32Array(organisations.length);
  for (const number of organisation) counts[number]! += 1;
  const order = Uint32Array.from(members.keys()).sort(
    (a, b) => organisation[a]! - organisation[b]! || a - b,
  );
  return {
    'member-first': startsOf(Uint32Array.from(drafts, ({ memberships }) => memberships.size)),
    'member-kind': Uint8Array.from(members, ({ kind }) => Number(kind.slice(2))),
    'member-organisation': organisation,
    'member-from': Uint32Array.from(members, ({ from }) => compactDay(from)),
    'member-to': Uint32Array.from(members, ({ to }) => compactDay(to)),
    ...listed('organisations', encodeTexts(organisations)),
    'organisation-first': startsOf(counts),
    'organisation-order': order,
  };
}

function listed(name: string, { bytes, starts }: TextList): NamedArrays {
  return { [`${name}.bytes`]: bytes, [`${name}.starts`]: starts };
}
