/**
 * A record as an element `Organisation` of the release file, in the JSON form of ORD: attributes and
 * child elements are members of one object. The element itself is XML.
 */

import { escapeXmlAttribute, escapeXmlText } from '../../fhir/format/xml-text.ts';
import { DEFAULT_AUTHORITY, dateText, ORGANISATION_ROOT, prefixedId, statusText } from './ids.ts';
import type {
  OrganizationRecord,
  PeriodRecord,
  RelationshipRecord,
  RoleRecord,
  SourceRecord,
  SuccessionRecord,
  TargetRecord,
  TelecomRecord,
} from './record.ts';
import { recordClassId } from './record-facts.ts';

export function organisationElement(record: SourceRecord): ReleaseElement {
  const { relationships = [], successions = [] } = record;
  return {
    ...unlessEmpty('refOnly', record.isReferenceOnly),
    ...unlessEmpty('Name', record.name),
    ...dates(record.periods),
    OrgId: orgId(record.code, record.authority),
    Status: statusText(record.isActive),
    LastChangeDate: dateText(record.lastUpdated),
    ...unlessEmpty('orgRecordClass', recordClassId(record)),
    ...location(record),
    ...block('Contacts', 'Contact', record.telecoms.map(contact)),
    ...block('Roles', 'Role', record.roles.map(roleElement)),
    ...block('Rels', 'Rel', relationships.map(relationship)),
    ...block('Succs', 'Succ', successions.map(succession)),
  };
}

/** The attributes and child elements by name. An array holds elements of one name. */
export interface ReleaseElement {
  readonly [name: string]: ReleaseValue | readonly ReleaseElement[];
}

type ReleaseValue = string | number | boolean | ReleaseElement;

/** An empty block is absent. */
function block(name: string, member: string, members: readonly ReleaseElement[]): ReleaseElement {
  return members.length === 0 ? {} : { [name]: { [member]: members } };
}

function dates(periods: readonly PeriodRecord[]): ReleaseElement {
  if (periods.length === 0) return {};
  return {
    Date: periods.map(({ kind, start, end }) => ({
      Type: kind,
      ...unlessEmpty('Start', start),
      ...unlessEmpty('End', end),
    })),
  };
}

function orgId(code: string, authority = DEFAULT_AUTHORITY): ReleaseElement {
  return { root: ORGANISATION_ROOT, assigningAuthorityName: authority, extension: code };
}

function location({ address }: OrganizationRecord): ReleaseElement {
  if (address === undefined) return {};
  const { lines, city, district, postalCode, country, uprn } = address;
  return {
    GeoLoc: {
      Location: {
        ...unlessEmpty('AddrLn1', lines[0]),
        ...unlessEmpty('AddrLn2', lines[1]),
        // The element has three lines. Records of FHIR sources may have more.
        ...unlessEmpty('AddrLn3', lines.slice(2).join(', ')),
        ...unlessEmpty('Town', city),
        ...unlessEmpty('County', district),
        ...unlessEmpty('PostCode', postalCode),
        ...unlessEmpty('Country', country),
        ...unlessEmpty('UPRN', uprn && uprnValue(uprn)),
      },
    },
  };
}

/** A number if the text is a number. */
function uprnValue(uprn: string): number | string {
  return /^[1-9]\d{0,14}$/.test(uprn) ? Number(uprn) : uprn;
}

function contact({ system, value }: TelecomRecord): ReleaseElement {
  return { type: CONTACT_TYPES[system], value };
}

const CONTACT_TYPES: Readonly<Record<TelecomRecord['system'], string>> = {
  phone: 'tel',
  fax: 'fax',
  email: 'mailto',
  url: 'http',
  other: 'other',
};

function roleElement({ code, uniqueId, isPrimary, isActive, periods }: RoleRecord): ReleaseElement {
  return {
    id: prefixedId('RO', code),
    ...unlessEmpty('uniqueRoleId', uniqueId),
    ...(isPrimary && { primaryRole: true }),
    ...dates(periods),
    Status: statusText(isActive),
  };
}

function relationship({
  type,
  uniqueId,
  isActive,
  periods,
  target,
}: RelationshipRecord): ReleaseElement {
  return {
    ...dates(periods),
    Status: statusText(isActive),
    Target: targetElement(target),
    id: prefixedId('RE', type),
    ...unlessEmpty('uniqueRelId', uniqueId),
  };
}

function succession({
  kind,
  uniqueId,
  isForward,
  periods,
  target,
}: SuccessionRecord): ReleaseElement {
  return {
    ...unlessEmpty('uniqueSuccId', uniqueId),
    ...dates(periods),
    Type: kind,
    Target: targetElement(target),
    ...unlessEmpty('forwardSuccession', isForward),
  };
}

function targetElement({ code, primaryRole, primaryRoleId }: TargetRecord): ReleaseElement {
  return {
    OrgId: orgId(code),
    ...(primaryRole !== undefined && {
      PrimaryRoleId: {
        id: prefixedId('RO', primaryRole),
        ...unlessEmpty('uniqueRoleId', primaryRoleId),
      },
    }),
  };
}

function unlessEmpty(name: string, value: ReleaseValue | undefined): ReleaseElement {
  return value === undefined || value === '' ? {} : { [name]: value };
}

/** Values that are attributes of their element. All others are child elements. */
const ATTRIBUTES = new Set([
  'orgRecordClass',
  'refOnly',
  'root',
  'assigningAuthorityName',
  'extension',
  'type',
  'value',
  'id',
  'uniqueRoleId',
  'uniqueRelId',
  'uniqueSuccId',
  'primaryRole',
  'forwardSuccession',
]);

/** Child elements that hold their value in an attribute `value`, not as text. */
const VALUE_ELEMENTS = new Set(['Start', 'End', 'Status', 'LastChangeDate']);

/** Writes an element without white space. `element` can also be parsed JSON of ORD. Its depth must be limited. */
export function elementXml(name: string, element: object): string {
  let attributes = '';
  let children = '';
  for (const [key, value] of Object.entries(element)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (typeof one === 'object') {
        children += elementXml(key, one ?? {});
      } else if (ATTRIBUTES.has(key)) {
        attributes += attribute(key, String(one));
      } else if (VALUE_ELEMENTS.has(key) || (key === 'Type' && name === 'Date')) {
        children += `<${key}${attribute('value', String(one))}/>`;
      } else {
        children += `<${key}>${escapeXmlText(String(one))}</${key}>`;
      }
    }
  }
  if (children === '') return `<${name}${attributes}/>`;
  return `<${name}${attributes}>${children}</${name}>`;
}

function attribute(name: string, value: string): string {
  return ` ${name}="${escapeXmlAttribute(value)}"`;
}
