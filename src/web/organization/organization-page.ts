/** The page of one organisation: its record in words, as JSON and XML, and its last changes. */

import type { Edition } from '../../directory/edition/edition.ts';
import type { EditionHistory, EditionInfo } from '../../directory/edition/edition-store.ts';
import { pastedCode } from '../../directory/edition/source-record.ts';
import type {
  OrganizationRecord,
  PeriodRecord,
  TelecomRecord,
} from '../../directory/record/record.ts';
import { organizationTimeline } from '../events/organization-timeline.ts';
import type { Addresses } from '../parts/addresses.ts';
import { type RolesOf, rolesOf } from '../parts/code-names.ts';
import { formatDate } from '../parts/display.ts';
import { newestFaces } from '../parts/newest-faces.ts';
import { noOrganization, type Problem } from '../parts/problems.ts';
import { recordOfRow } from '../parts/related-organization.ts';
import type { WebContext } from '../parts/web-options.ts';
import {
  ORGANIZATION_ORGANIZATION_ENDINGS,
  organizationJson,
  organizationXml,
} from './organization-files.ts';
import { organizationLinks, successorsOnPage } from './organization-links.ts';
import { recordDifferences } from './record-differences.ts';

export async function organizationPage(
  edition: Edition,
  row: number,
  options: WebContext,
): Promise<object> {
  const { addresses, history, face, settings } = options;
  const record = edition.rows.recordAt(row);
  const roles = rolesOf(edition);
  const rendered = face.render(edition);
  const { code } = record;
  return {
    title: `${record.name ?? 'No name'} (${code})`,
    code,
    name: record.name ?? 'No name',
    isActive: record.isActive,
    recordClass: recordClassOf(record, edition),
    address: addressOf(record, settings.mapUrl),
    postcodeHref: postcodeAddress(edition, record, addresses),
    contacts: record.telecoms.map(contactOf),
    roles: record.roles.map((role) => ({
      code: role.code,
      name: roles.name(role.code),
      isPrimary: role.isPrimary,
      isActive: role.isActive,
      periods: role.periods.map(periodOf),
    })),
    periods: record.periods.map(periodOf),
    lastUpdated: formatDate(record.lastUpdated),
    apis: newestFaces(options.interfaces).map(({ sample, baseUrl }) => ({
      version: sample?.name,
      url: `${baseUrl}/Organization/${encodeURIComponent(code)}`,
    })),
    json: organizationJson(rendered, row),
    xml: organizationXml(rendered, row, options),
    xmlType: face.face.version.mediaTypes.xml,
    files: ORGANIZATION_ORGANIZATION_ENDINGS.map((ending) => ({
      text: ending.toUpperCase(),
      href: addresses.organizationFile(code, ending),
    })),
    practitioners: practitionersAddress(edition, code, addresses),
    links: await organizationLinks(edition, row, record, options),
    timeline: await organizationTimeline(edition, row, options),
    change: await changeOf(record, edition, roles, history),
  };
}

/** How the current edition changed the record; undefined if it did not, or that is not known. */
async function changeOf(
  record: OrganizationRecord,
  { number, codeSystems }: Edition,
  roles: RolesOf,
  history: EditionHistory,
) {
  const counts = await history.differenceCounts(number);
  if (counts === undefined) return undefined;
  const { comparedTo } = counts;
  if (comparedTo === undefined) return undefined;
  const kind = await history.changeOf(number, record.code);
  if (kind !== 'changed') return kind && { kind, number, comparedTo };
  const before = await history.record(comparedTo, record.code);
  if (typeof before !== 'object') return { kind, number, comparedTo };
  const differences = recordDifferences(before, record, roles, codeSystems);
  return differences.length > 0 ? { kind, number, comparedTo, differences } : undefined;
}

function recordClassOf({ recordClass }: OrganizationRecord, { codeSystems }: Edition) {
  if (recordClass === undefined) return undefined;
  const display = codeSystems.recordClasses.find(({ code }) => code === recordClass)?.display;
  return RECORD_CLASSES.get(recordClass) ?? display ?? `RC${recordClass}`;
}

/** The displays of the national file are identifiers rather than words. */
const RECORD_CLASSES = new Map([
  ['1', 'Organisation'],
  ['2', 'Site of an organisation'],
]);

/** Undefined if no practitioner ever had a membership in the organisation. */
function practitionersAddress(
  { practitioners }: Edition,
  code: string,
  addresses: Addresses,
): string | undefined {
  return practitioners?.hasMembers(code) ? addresses.practitionersOf(code) : undefined;
}

/** Undefined if no postcodes were imported, or if they do not have that of the record. */
function postcodeAddress(
  { postcodes }: Edition,
  { address }: OrganizationRecord,
  { postcodePage }: Addresses,
): string | undefined {
  const found = postcodes?.find(address?.postalCode ?? '');
  return found && `${postcodePage}?${new URLSearchParams({ postcode: found.postcode })}`;
}

function addressOf({ address }: OrganizationRecord, mapUrl: string) {
  if (address === undefined) return undefined;
  const { lines, city, district, postalCode, country, uprn } = address;
  const parts = [...lines, city, district, postalCode, country].filter(
    (part) => part !== undefined,
  );
  // A map knows streets and postcodes better than the names of buildings.
  const place = [lines.at(-1), city, postalCode].filter((part) => part !== undefined).join(', ');
  const query = encodeURIComponent(postalCode ?? place);
  return {
    parts,
    uprn,
    map: mapUrl === 'off' || query === '' ? undefined : mapUrl.replaceAll('{query}', query),
  };
}

function contactOf({ system, value }: TelecomRecord) {
  return { label: CONTACT_LABELS[system], value, href: contactHref(system, value) };
}

const CONTACT_LABELS = {
  phone: 'Telephone',
  fax: 'Fax',
  email: 'Email',
  url: 'Website',
  other: 'Other contact',
} as const;

/** Only values that are safe become links, because a record can contain any text. */
function contactHref(system: TelecomRecord['system'], value: string): string | undefined {
  switch (system) {
    case 'phone':
      return /^[+\d][\d ()-]{4,30}$/.test(value)
        ? `tel:${value.replace(/[^+\d]/g, '')}`
        : undefined;
    case 'email':
      return /^[\w.+'-]+@[\w-]+(\.[\w-]+)+$/.test(value) ? `mailto:${value}` : undefined;
    case 'url': {
      const url = /^[\w-]+(\.[\w-]+)+([/?#].*)?$/.test(value) ? `http://${value}` : value;
      return /^https?:\/\//i.test(url) && URL.canParse(url) ? new URL(url).href : undefined;
    }
    default:
      return undefined;
  }
}

function periodOf({ kind, start, end }: PeriodRecord) {
  return {
    kind: kind === 'Legal' ? 'Legal' : 'Operational',
    start: start === undefined ? undefined : formatDate(start),
    end: end === undefined ? undefined : formatDate(end),
  };
}

/** `asked`: the code as the visitor wrote it. */
export async function missingOrganization(
  edition: Edition,
  asked: string,
  { addresses, history }: WebContext,
): Promise<Problem> {
  const code = pastedCode(asked);
  if (code.includes('.')) return noOrganization(code, [ENDINGS]);
  if (!CODE.test(code)) return noOrganization(code, []);
  const known = code.toUpperCase();
  const { links } = edition;
  const row = links.rowOf(known);
  const removal = row === undefined ? await removalOf(known, history) : undefined;
  const successors = successorsOnPage(edition, known, addresses);
  return {
    ...noOrganization(code, [
      ...(row === undefined ? [] : referenceTexts(recordOfRow(edition, row))),
      ...(removal === undefined ? [] : removalTexts(removal)),
    ]),
    successors,
  };
}

function referenceTexts({ name }: OrganizationRecord): string[] {
  return [
    'The directory has no details of it. Other organisations refer to it.',
    ...(name === undefined ? [] : [`Its name is ${name}.`]),
  ];
}

function removalTexts({ edition, name }: Removal): string[] {
  return [
    `It was removed from the directory with edition ${edition.number}.`,
    ...(name === undefined ? [] : [`Its last name was ${name}.`]),
  ];
}

const CODE = /^[A-Za-z0-9]{1,64}$/;

const ENDINGS = `A code has no dots. The address of an organisation can end in .${ORGANIZATION_ORGANIZATION_ENDINGS.join(', .')}.`;

/** The edition that removed an organisation, and its name in the edition before. */
interface Removal {
  readonly edition: EditionInfo;
  readonly name: string | undefined;
}

async function removalOf(code: string, history: EditionHistory): Promise<Removal | undefined> {
  const latest = (await history.list()).toReversed().slice(0, EDITIONS_LOOKED_AT);
  for (const edition of latest) {
    const { number, removed } = edition;
    if (removed === 0 || (await history.changeOf(number, code)) !== 'removed') continue;
    const comparedTo = (await history.differenceCounts(number))?.comparedTo;
    const last = comparedTo === undefined ? undefined : await history.record(comparedTo, code);
    return { edition, name: last === 'none' ? undefined : last?.name };
  }
  return undefined;
}

/** One year of monthly editions. The page of editions shows older ones. */
const EDITIONS_LOOKED_AT = 12;
