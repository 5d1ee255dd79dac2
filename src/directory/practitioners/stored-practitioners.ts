/**
 * Practitioners as arrays of numbers, which are stored in one file and which all threads share: about
 * 130 bytes for each practitioner, and the imported files, compressed.
 */
import { bytesNamed, jsonNamed, offsetsNamed, wordsNamed } from '../arrays/array-named.ts';
import { bufferOf, type NamedArrays } from '../arrays/arrays.ts';
import { findRange, lowest } from '../arrays/binary-search.ts';
import type { StoredTable } from '../arrays/stored-table.ts';
import { compareText, containsText, type TextList, textAt } from '../arrays/text-list.ts';
import { compactDay, dayOfCompact, searchText } from './practitioner-arrays.ts';
import type {
  AboutPractitioners,
  Membership,
  MembershipKind,
  NumberKind,
  Practitioner,
  PractitionerNumber,
  Practitioners,
} from './practitioners.ts';

/**
 * `codes`, `names`, `registered`, `search`: a text for each practitioner, in the order of the codes.
 * `group`: the index in `groups`, JSON: the type and the roles, separated by spaces. `active`: 1 or 0.
 * `member-from`, `member-to`: `compactDay`. `number-first`, `member-first`: where the
 * numbers and memberships of each begin. `number-order`: the numbers in the order of their values.
 * `organisation-order`: the memberships by organisation, of which those of each begin at
 * `organisation-first`. `file.NAME`: an imported file, gzip.
 */
export type StoredPractitioners = StoredTable<AboutPractitioners>;

/** Cheap: nothing is copied except the few groups of roles. */
export function openPractitioners({ about, arrays }: StoredPractitioners): Practitioners {
  const codes = textsNamed(arrays, 'codes');
  const count = codes.starts.length - 1;
  const active = bytesNamed(arrays, 'active');
  const at = openRows(arrays, codes);
  const rowOf = (code: string): number | undefined => {
    const { from, to } = placesOf(codes, count, code.toUpperCase());
    return from < to ? from : undefined;
  };
  const rowsWithNumber = openNumbers(arrays, rowOf);
  const rowsNamed = openSearch(arrays, count);
  return {
    version: about.version,
    about,
    count,
    at,
    isActiveAt: (row) => active[row] === 1,
    find: (code) => {
      const row = rowOf(code);
      return row === undefined ? undefined : at(row);
    },
    withNumber: (number) => [...rowsWithNumber(number)].map(at),
    search: (text) => {
      const rows = rowsNamed(text);
      const numbered = rowsWithNumber(text.trim());
      if (numbered.size === 0) return rows;
      for (const row of rows) numbered.add(row);
      return [...numbered].sort((a, b) => a - b);
    },
    ...openParts(arrays),
    ...openMembers(arrays, at),
    file: (name) => {
      const gzip = arrays[`file.${name}`];
      return gzip === undefined ? undefined : bufferOf(gzip);
    },
  };
}

function textsNamed(arrays: NamedArrays, name: string): TextList {
  return {
    bytes: bytesNamed(arrays, `${name}.bytes`),
    starts: wordsNamed(arrays, `${name}.starts`),
  };
}

/** The places of a text in a sorted list. */
function placesOf(list: TextList, count: number, text: string) {
  const wanted = Buffer.from(text);
  return findRange(count, (place) => compareText(list, place, wanted));
}

/** The owner of an item, if those of owner `n` begin at `first[n]`. */
function ownerOf(first: Uint32Array, item: number): number {
  return lowest(first.length - 1, (owner) => first[owner + 1]! > item);
}

function openRows(arrays: NamedArrays, codes: TextList): (row: number) => Practitioner {
  const names = textsNamed(arrays, 'names');
  const registered = textsNamed(arrays, 'registered');
  const groups = jsonNamed<string[]>(arrays, 'groups').map((text) => text.split(' '));
  const group = offsetsNamed(arrays, 'group');
  const active = bytesNamed(arrays, 'active');
  const numbersOf = openNumbersOfRow(arrays);
  const membershipAt = openMemberships(arrays);
  const firstMember = wordsNamed(arrays, 'member-first');
  return (row) => {
    const [type = '', ...roles] = groups[group[row]!] ?? [];
    const registeredName = textAt(registered, row);
    const memberships: Membership[] = [];
    for (let item = firstMember[row]!; item < firstMember[row + 1]!; item++) {
      memberships.push(membershipAt(item));
    }
    return {
      code: textAt(codes, row),
      name: textAt(names, row),
      ...(registeredName !== '' && { registeredName }),
      type,
      roles,
      isActive: active[row] === 1,
      numbers: numbersOf(row),
      memberships,
    };
  };
}

function openNumbersOfRow(arrays: NamedArrays): (row: number) => readonly PractitionerNumber[] {
  const first = wordsNamed(arrays, 'number-first');
  const kinds = bytesNamed(arrays, 'number-kind');
  const values = textsNamed(arrays, 'number-value');
  return (row) => {
    const numbers: PractitionerNumber[] = [];
    for (let item = first[row]!; item < first[row + 1]!; item++) {
      numbers.push({ kind: kinds[item] as NumberKind, value: textAt(values, item) });
    }
    return numbers;
  };
}

/** The rows of a code or a number, and of the codes that share a number with it, ascending. */
function openNumbers(
  arrays: NamedArrays,
  rowOf: (code: string) => number | undefined,
): (text: string) => Set<number> {
  const first = wordsNamed(arrays, 'number-first');
  const kinds = bytesNamed(arrays, 'number-kind');
  const values = textsNamed(arrays, 'number-value');
  const order = wordsNamed(arrays, 'number-order');
  const rowsOf = (number: string, kind?: number): number[] => {
    const wanted = Buffer.from(number);
    const { from, to } = findRange(order.length, (at) => compareText(values, order[at]!, wanted));
    const items = [...order.subarray(from, to)];
    // A dentist can have the number that a doctor has in another register.
    return items
      .filter((item) => kind === undefined || kinds[item] === kind)
      .map((item) => ownerOf(first, item));
  };
  return (text) => {
    const number = text.toUpperCase();
    const row = rowOf(number);
    const found = new Set(rowsOf(number));
    if (row !== undefined) found.add(row);
    for (const each of [...found]) {
      for (let item = first[each]!; item < first[each + 1]!; item++) {
        for (const other of rowsOf(textAt(values, item), kinds[item])) found.add(other);
      }
    }
    return new Set([...found].sort((a, b) => a - b));
  };
}

function openParts(
  arrays: NamedArrays,
): Pick<Practitioners, 'roles' | 'membershipAt' | 'numberCount' | 'numberAt'> {
  const roles = jsonNamed<string[]>(arrays, 'groups').flatMap((text) => text.split(' ').slice(1));
  const firstMember = wordsNamed(arrays, 'member-first');
  const membershipAt = openMemberships(arrays);
  const firstNumber = wordsNamed(arrays, 'number-first');
  const kinds = bytesNamed(arrays, 'number-kind');
  const values = textsNamed(arrays, 'number-value');
  return {
    roles: [...new Set(roles)].sort(),
    membershipAt: (place) => ({ row: ownerOf(firstMember, place), item: membershipAt(place) }),
    numberCount: kinds.length,
    numberAt: (place) => ({
      row: ownerOf(firstNumber, place),
      item: { kind: kinds[place] as NumberKind, value: textAt(values, place) },
    }),
  };
}

function openSearch(arrays: NamedArrays, count: number): (text: string) => readonly number[] {
  const list = textsNamed(arrays, 'search');
  return (text) => {
    const asked = searchText(text).split(/[\s,]+/);
    // A word that is part of another one finds nothing less.
    const words = [...new Set(asked)]
      .filter((word) => word !== '' && !asked.some((each) => each !== word && each.includes(word)))
      .map((word) => Buffer.from(word));
    const rows: number[] = [];
    if (words.length === 0) return rows;
    // About 10 ms for 150,000 names, however many match.
    for (let row = 0; row < count; row++) {
      if (words.every((word) => containsText(list, row, word))) rows.push(row);
    }
    return rows;
  };
}

function openMemberships(arrays: NamedArrays): (item: number) => Membership {
  const kinds = bytesNamed(arrays, 'member-kind');
  const organisation = wordsNamed(arrays, 'member-organisation');
  const organisations = textsNamed(arrays, 'organisations');
  const froms = wordsNamed(arrays, 'member-from');
  const tos = wordsNamed(arrays, 'member-to');
  return (item) => {
    const from = dayOfCompact(froms[item]!);
    const to = dayOfCompact(tos[item]!);
    return {
      kind: `ME${kinds[item]}` as MembershipKind,
      organisation: textAt(organisations, organisation[item]!),
      ...(from !== undefined && { from }),
      ...(to !== undefined && { to }),
    };
  };
}

function openMembers(
  arrays: NamedArrays,
  at: (row: number) => Practitioner,
): Pick<Practitioners, 'ofOrganisation' | 'hasMembers'> {
  const organisations = textsNamed(arrays, 'organisations');
  const first = wordsNamed(arrays, 'organisation-first');
  const order = wordsNamed(arrays, 'organisation-order');
  const firstMember = wordsNamed(arrays, 'member-first');
  const [froms, tos] = [wordsNamed(arrays, 'member-from'), wordsNamed(arrays, 'member-to')];
  const placeOf = (code: string): number | undefined => {
    const { from, to } = placesOf(organisations, organisations.starts.length - 1, code);
    return from === to ? undefined : from;
  };
  const ofOrganisation = (code: string, day?: string): readonly Practitioner[] => {
    const place = placeOf(code);
    if (place === undefined) return [];
    const wanted = compactDay(day);
    const isIn = (item: number) =>
      wanted === 0 || (froms[item]! <= wanted && (tos[item] === 0 || tos[item]! >= wanted));
    const items = [...order.subarray(first[place], first[place + 1])].filter(isIn);
    return [...new Set(items.map((item) => ownerOf(firstMember, item)))].map(at);
  };
  return { ofOrganisation, hasMembers: (code) => placeOf(code) !== undefined };
}
