/** An Organisation element of a generated release: its shape and its XML. */

export interface SampleDate {
  readonly type: 'Operational' | 'Legal';
  readonly start?: string;
  readonly end?: string;
}

export interface SampleRole {
  /** With `RO`. */
  readonly id: string;
  readonly isPrimary?: boolean;
  readonly dates: readonly SampleDate[];
  readonly status?: string;
}

export interface SampleTarget {
  readonly code: string;
  /** Its primary role, with `RO`. */
  readonly role: string;
  /** Its number, if it has a record. */
  readonly number?: number;
}

export interface SampleLink {
  /** With `RE`. */
  readonly id: string;
  readonly dates: readonly SampleDate[];
  readonly status: string;
  readonly target: SampleTarget;
}

export interface SampleSuccession {
  readonly type: 'Successor' | 'Predecessor';
  readonly date: string;
  readonly isForward?: boolean;
  readonly target: SampleTarget;
}

export interface SampleOrganisation {
  readonly code: string;
  readonly recordClass: 'RC1' | 'RC2';
  readonly isReferenceOnly?: boolean;
  readonly name: string;
  readonly dates: readonly SampleDate[];
  readonly status?: string;
  readonly lastChangeDate?: string;
  /** AddrLn1, 2 and 3; a gap is an absent element. */
  readonly lines?: readonly (string | undefined)[];
  readonly town?: string;
  readonly county?: string;
  readonly postcode?: string;
  readonly country?: string;
  readonly uprn?: string;
  readonly contacts?: readonly (readonly [type: string, value: string])[];
  readonly roles: readonly SampleRole[];
  /** Makes the ids of its parts. By default, its place in the file. */
  readonly number?: number;
  readonly links?: readonly SampleLink[];
  readonly successions?: readonly SampleSuccession[];
}

/** The element as the national file writes it. `place` is its place in the file. */
export function organisationXml(organisation: SampleOrganisation, place: number): string {
  const { isReferenceOnly, recordClass, number = place } = organisation;
  // The order of attributes varies in the national file; here it depends on the record.
  const reference = isReferenceOnly === true ? ' refOnly="true"' : '';
  const recordClassText = ` orgRecordClass="${recordClass}"`;
  const attributes = place % 2 === 0 ? recordClassText + reference : reference + recordClassText;
  let xml = `    <Organisation${attributes}>\n      <Name>${escapeXml(organisation.name)}</Name>\n`;
  for (const date of organisation.dates) xml += dateXml(date, '      ');
  xml += orgIdXml(organisation.code, '      ');
  if (organisation.status !== undefined) xml += `      <Status value="${organisation.status}"/>\n`;
  if (organisation.lastChangeDate !== undefined) {
    xml += `      <LastChangeDate value="${organisation.lastChangeDate}"/>\n`;
  }
  xml += locationXml(organisation);
  xml += contactsXml(organisation.contacts ?? []);
  xml += rolesXml(organisation.roles, number);
  xml += linksXml(organisation.links ?? [], number);
  xml += successionsXml(organisation.successions ?? [], number);
  return `${xml}    </Organisation>\n`;
}

/** Text as it may stand in an element or in an attribute in double quotes. */
export function escapeXml(text: string): string {
  if (!/[&<>"]/.test(text)) return text;
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

function dateXml(date: SampleDate, indent: string): string {
  const start = date.start === undefined ? '' : `${indent}  <Start value="${date.start}"/>\n`;
  const end = date.end === undefined ? '' : `${indent}  <End value="${date.end}"/>\n`;
  return `${indent}<Date>\n${indent}  <Type value="${date.type}"/>\n${start}${end}${indent}</Date>\n`;
}

function orgIdXml(code: string, indent: string): string {
  return (
    `${indent}<OrgId root="2.16.840.1.113883.2.1.3.2.4.18.48" assigningAuthorityName="HSCIC"` +
    ` extension="${escapeXml(code)}"/>\n`
  );
}

function locationXml(organisation: SampleOrganisation): string {
  let xml = '';
  for (const [index, line] of (organisation.lines ?? []).entries()) {
    if (line !== undefined) xml += textXml(`AddrLn${index + 1}`, line);
  }
  if (organisation.town !== undefined) xml += textXml('Town', organisation.town);
  if (organisation.county !== undefined) xml += textXml('County', organisation.county);
  if (organisation.postcode !== undefined) xml += textXml('PostCode', organisation.postcode);
  if (organisation.country !== undefined) xml += textXml('Country', organisation.country);
  if (organisation.uprn !== undefined) xml += textXml('UPRN', organisation.uprn);
  if (xml === '') return '';
  return `      <GeoLoc>\n        <Location>\n${xml}        </Location>\n      </GeoLoc>\n`;
}

function textXml(element: string, text: string): string {
  return `          <${element}>${escapeXml(text)}</${element}>\n`;
}

function contactsXml(contacts: readonly (readonly [string, string])[]): string {
  if (contacts.length === 0) return '';
  let xml = '      <Contacts>\n';
  for (const [type, value] of contacts) {
    xml += `        <Contact type="${type}" value="${escapeXml(value)}"/>\n`;
  }
  return `${xml}      </Contacts>\n`;
}

function rolesXml(roles: readonly SampleRole[], number: number): string {
  if (roles.length === 0) return '';
  let xml = '      <Roles>\n';
  for (const [index, role] of roles.entries()) {
    const primary = role.isPrimary === true ? ' primaryRole="true"' : '';
    xml += `        <Role id="${role.id}" uniqueRoleId="${roleId(number, role, index)}"${primary}>\n`;
    for (const date of role.dates) xml += dateXml(date, '          ');
    if (role.status !== undefined) xml += `          <Status value="${role.status}"/>\n`;
    xml += '        </Role>\n';
  }
  return `${xml}      </Roles>\n`;
}

function linksXml(links: readonly SampleLink[], number: number): string {
  if (links.length === 0) return '';
  let xml = '      <Rels>\n';
  for (const [index, link] of links.entries()) {
    xml += `        <Rel id="${link.id}" uniqueRelId="${number * PARTS_MAX + index + 1}">\n`;
    for (const date of link.dates) xml += dateXml(date, '          ');
    xml += `          <Status value="${link.status}"/>\n`;
    xml += targetXml(link.target);
    xml += '        </Rel>\n';
  }
  return `${xml}      </Rels>\n`;
}

function successionsXml(successions: readonly SampleSuccession[], number: number): string {
  if (successions.length === 0) return '';
  let xml = '      <Succs>\n';
  for (const [index, succession] of successions.entries()) {
    const forward = succession.isForward === true ? ' forwardSuccession="true"' : '';
    xml += `        <Succ uniqueSuccId="${number * PARTS_MAX + index + 1}"${forward}>\n`;
    xml += dateXml({ type: 'Legal', start: succession.date }, '          ');
    xml += `          <Type>${succession.type}</Type>\n`;
    xml += targetXml(succession.target);
    xml += '        </Succ>\n';
  }
  return `${xml}      </Succs>\n`;
}

function targetXml({ code, role, number }: SampleTarget): string {
  const id = number === undefined ? '' : ` uniqueRoleId="${primaryRoleId(number)}"`;
  return (
    `          <Target>\n${orgIdXml(code, '            ')}` +
    `            <PrimaryRoleId id="${role}"${id}/>\n          </Target>\n`
  );
}

function roleId(number: number, role: SampleRole, index: number): number {
  return role.isPrimary === true ? primaryRoleId(number) : number * PARTS_MAX + index + 2;
}

/** So that other organisations can name it. */
function primaryRoleId(number: number): number {
  return number * PARTS_MAX + 1;
}

/** More than the roles or relationships of one organisation. */
const PARTS_MAX = 32;
