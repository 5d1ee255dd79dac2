/** The page of one organisation: its record in words, as JSON and XML, and its last changes. */
import type { Edition } from '../../directory/edition/edition.ts';
import type { EditionHistory } from '../../directory/edition/edition-history.ts';
import type {
  OrganizationRecord,
  PeriodRecord,
  TelecomRecord,
} from '../../directory/record/record.ts';
import type { ServedFace } from '../../directory/served-face.ts';
import { encodeJson } from '../../fhir/format/json.ts';
import { encodeXml } from '../../fhir/format/xml.ts';
import type { Addresses } from '../addresses.ts';
import { formatDate } from '../display.ts';
import { editionLabel } from '../editions/edition-label.ts';
import { organizationTimeline } from '../events/organization-timeline.ts';
import { organizationRelations } from '../relations/organization-relations.ts';
import { type RolesOf, rolesOf } from '../roles.ts';
import { recordDifferences } from './record-differences.ts';

export interface OrganizationPageOptions {
  readonly addresses: Addresses;
  readonly history: EditionHistory;
  readonly face: ServedFace;
  /** `{query}` stands for the postcode; `off`: no map. */
  readonly mapUrl: string;
  /** As `YYYY-MM-DD`. */
  readonly today: string;
}

export async function organizationPage(
  edition: Edition,
  row: number,
  { addresses, history, face, mapUrl, today }: OrganizationPageOptions,
): Promise<object> {
  const record = edition.rows.recordAt(row);
  const roles = rolesOf(edition);
  const rendered = face.render(edition);
  const { definitions, mediaTypes } = face.face.version;
  const { code } = record;
  return {
    title: `${record.name ?? 'No name'} (${code})`,
    code,
    name: record.name ?? 'No name',
    isActive: record.isActive,
    recordClass: recordClassOf(record, edition),
    address: addressOf(record, mapUrl),
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
    url: addresses.record(code),
    json: encodeJson(rendered.jsonAt(row), { pretty: true }),
    xml: encodeXml(rendered.organizationAt(row), definitions, { pretty: true }),
    xmlType: mediaTypes.xml,
    relations: organizationRelations(edition, row, record, { addresses, today }),
    timeline: await organizationTimeline(edition, row, { addresses, history, today }),
    change: await changeOf(record, edition, roles, history),
    edition: await editionLabel(edition, history, today),
  };
}

/** How the current edition changed the record, if that is known. */
async function changeOf(
  record: OrganizationRecord,
  { number, codeSystems }: Edition,
  roles: RolesOf,
  history: EditionHistory,
) {
  const counts = await history.differenceCounts(number);
  if (counts === undefined) return undefined;
  const { comparedTo } = counts;
  if (comparedTo === undefined) return { kind: 'first', number };
  const kind = await history.changeOf(number, record.code);
  if (kind !== 'changed') return { kind: kind ?? 'same', number, comparedTo };
  const before = await history.record(comparedTo, record.code);
  return {
    kind,
    number,
    comparedTo,
    differences:
      typeof before === 'object'
        ? recordDifferences(before, record, roles, codeSystems)
        : undefined,
  };
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
    start: formatDate(start),
    end: end === undefined ? undefined : formatDate(end),
  };
}
