/** Draws one invented organisation of a generated release: realistic shapes, and sometimes an unusual value. */
import type { OrganisationKind } from './kinds.ts';
import { drawLinks, drawSuccession, type IssuedCodes } from './links.ts';
import { makeBuilding, makeName, makeStreet } from './names.ts';
import type { SampleDate, SampleOrganisation, SampleRole } from './organisation.ts';
import { releasePlaces } from './places.ts';
import type { Random } from './random.ts';

export interface DrawOptions {
  readonly kind: OrganisationKind;
  readonly code: string;
  readonly number: number;
  readonly publicationDate: string;
  /** The organisations before it. The new one is added. */
  readonly issued: IssuedCodes;
}

/** An organisation of this kind under this code; no date lies after the publication date. */
export function drawOrganisation(options: DrawOptions, random: Random): SampleOrganisation {
  const { kind, code, number, publicationDate, issued } = options;
  const place = random.pick(releasePlaces);
  const isInactive = random.isChance(kind.inactiveChance);
  const status = isInactive ? 'Inactive' : 'Active';
  const start = drawDate(1991, 2024, random);
  const end = isInactive ? laterDate(start, publicationDate, random) : undefined;
  const roles = drawRoles(kind, status, start, end, random);
  const dates = drawDates(start, end, random);
  const hasAddress = !random.isChance(30);
  const linked = { kind: kind.name, code, start, end, publicationDate };
  const organisation = {
    code,
    number,
    recordClass: kind.recordClass,
    name: makeName(random.pick(kind.names), place.town, random),
    dates,
    ...(!random.isChance(4) && { status }),
    ...(!random.isChance(5) && { lastChangeDate: drawLastChange(end, publicationDate, random) }),
    ...(hasAddress && {
      lines: drawLines(random),
      town: place.town,
      ...(place.county !== undefined && random.isChance(7500) && { county: place.county }),
      postcode: drawPostcode(place.postcodeArea, random),
      country: place.country,
      ...(random.isChance(6500) && { uprn: String(10_000_000 + random.below(190_000_000)) }),
    }),
    contacts: drawContacts(random),
    roles,
    links: drawLinks(linked, issued, random),
    successions:
      isInactive && random.isChance(2500) ? [drawSuccession(linked, issued, random)] : [],
  };
  const role = roles.find(({ isPrimary }) => isPrimary === true)?.id ?? '';
  issued.add(kind.name, { code, role, number });
  return organisation;
}

/** What the other file of a release says of an organisation that it does not hold itself. */
export function referenceTo(organisation: SampleOrganisation): SampleOrganisation {
  return {
    code: organisation.code,
    recordClass: organisation.recordClass,
    isReferenceOnly: true,
    name: organisation.name,
    dates: organisation.dates,
    ...(organisation.status !== undefined && { status: organisation.status }),
    ...(organisation.lastChangeDate !== undefined && {
      lastChangeDate: organisation.lastChangeDate,
    }),
    ...(organisation.number !== undefined && { number: organisation.number }),
    roles: organisation.roles.filter((role) => role.isPrimary === true),
  };
}

function drawRoles(
  kind: OrganisationKind,
  status: string,
  start: string,
  end: string | undefined,
  random: Random,
): readonly SampleRole[] {
  const roles: SampleRole[] = [];
  const operational: SampleDate = period('Operational', start, end);
  for (const role of kind.otherRoles) {
    if (!random.isChance(kind.otherRoleChance)) continue;
    roles.push({ id: `RO${role}`, dates: [operational], status });
    if (random.isChance(150)) {
      // The same role again, held at an earlier time.
      roles.push({
        id: `RO${role}`,
        dates: [period('Operational', earlierDate(start), start)],
        status: 'Inactive',
      });
    }
  }
  const primary: SampleRole = {
    id: `RO${random.pick(kind.primaryRoles)}`,
    isPrimary: true,
    dates: random.isChance(2000) ? [operational, period('Legal', start, end)] : [operational],
    status,
  };
  // The primary role is not always the first of the file.
  roles.splice(random.isChance(8000) ? 0 : roles.length, 0, primary);
  return roles;
}

function drawDates(start: string, end: string | undefined, random: Random): SampleDate[] {
  if (random.isChance(100)) return [period('Legal', start, end)];
  if (random.isChance(10)) return [{ type: 'Operational', end: end ?? '2019-03-31' }];
  const operational = period('Operational', start, end);
  if (!random.isChance(1800)) return [operational];
  const legal = period('Legal', earlierDate(start), end);
  return random.isChance(5000) ? [legal, operational] : [operational, legal];
}

function drawLines(random: Random): readonly (string | undefined)[] {
  const street = makeStreet(random);
  if (random.isChance(5500)) return [street];
  if (random.isChance(200)) return [makeBuilding(random), undefined, street];
  if (random.isChance(30)) return [undefined, street];
  if (random.isChance(7000)) return [makeBuilding(random), street];
  return [makeBuilding(random), street, `${makeBuilding(random)} AREA`];
}

function drawPostcode(area: string, random: Random): string {
  const inward = `${random.below(10)}${random.pick(inwardLetters)}${random.pick(inwardLetters)}`;
  const outward = `${area}${1 + random.below(area.length === 1 ? 45 : 20)}`;
  if (random.isChance(8)) return `${outward}  ${inward}`;
  if (random.isChance(4)) return ` ${outward} ${inward} `;
  return `${outward} ${inward}`;
}

function drawContacts(random: Random): readonly (readonly [string, string])[] {
  const contacts: (readonly [string, string])[] = [];
  // 01632 960 is set aside for numbers that ring nowhere; example.org likewise.
  const phone = (): string => `01632 960${String(random.below(1000)).padStart(3, '0')}`;
  if (random.isChance(5200)) contacts.push(['tel', phone()]);
  if (random.isChance(500)) contacts.push(['fax', phone()]);
  if (random.isChance(250)) contacts.push(['mailto', `office${random.below(9999)}@example.org`]);
  if (random.isChance(600)) contacts.push(['http', `www.example.org/${random.below(99999)}`]);
  if (random.isChance(5)) contacts.push(['pager', phone()]);
  return contacts;
}

function drawLastChange(end: string | undefined, publicationDate: string, random: Random): string {
  if (end !== undefined && random.isChance(4000)) return end;
  const date = drawDate(2011, Number(publicationDate.slice(0, 4)), random);
  return date > publicationDate ? publicationDate : date;
}

function drawDate(yearFirst: number, yearLast: number, random: Random): string {
  // Most things in this field happen on the first of April.
  const year = yearFirst + random.below(yearLast - yearFirst + 1);
  if (random.isChance(3000)) return `${year}-04-01`;
  return `${year}-${twoDigits(1 + random.below(12))}-${twoDigits(1 + random.below(28))}`;
}

function laterDate(start: string, publicationDate: string, random: Random): string {
  const yearLast = Number(publicationDate.slice(0, 4)) - 1;
  const yearFirst = Math.min(Number(start.slice(0, 4)) + 1, yearLast);
  const date = drawDate(yearFirst, yearLast, random);
  return date < start ? publicationDate : date;
}

const earlierDate = (date: string): string => `${Number(date.slice(0, 4)) - 5}${date.slice(4)}`;
const twoDigits = (number: number): string => String(number).padStart(2, '0');

function period(type: SampleDate['type'], start: string, end: string | undefined): SampleDate {
  return { type, start, ...(end !== undefined && { end }) };
}

const inwardLetters = [...'ABDEFGHJLNPQRSTUWXYZ'];
