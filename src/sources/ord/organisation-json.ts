/** A record of ORD in JSON as the draft of an Organisation element, which has the same content. */
import { fitsXml } from '../../fhir/definitions/primitives.ts';
import type {
  DateDraft,
  LocationDraft,
  OrganisationDraft,
  PartDraft,
  TargetDraft,
} from '../release-file/parse/draft.ts';
import { ParseError } from '../release-file/parse-error.ts';
import { TEXT_LENGTH_MAX } from '../release-file/source-text.ts';

export type Json = { readonly [name: string]: unknown };

/** Throws a ParseError for a text that is too long, or that no answer in XML could have. */
export function draftFromJson(organisation: Json): OrganisationDraft {
  const id = objectIn(organisation.OrgId);
  const { Name, Status, LastChangeDate, orgRecordClass, refOnly } = organisation;
  const name = textIn(Name);
  return {
    recordClass: textIn(orgRecordClass),
    refOnly: textIn(refOnly),
    code: textIn(id.extension),
    authority: textIn(id.assigningAuthorityName),
    ...(name !== undefined && { name }),
    status: textIn(Status),
    lastChangeDate: textIn(LastChangeDate),
    dates: datesIn(organisation),
    locations: membersIn(organisation.GeoLoc, 'Location').map(locationDraft),
    contacts: membersIn(organisation.Contacts, 'Contact').map(({ type, value }) => ({
      type: textIn(type),
      value: textIn(value),
    })),
    roles: membersIn(organisation.Roles, 'Role').map((role) => ({
      ...partDraft(role, 'uniqueRoleId'),
      primaryRole: textIn(role.primaryRole),
    })),
    relationships: membersIn(organisation.Rels, 'Rel').map((relationship) => ({
      ...partDraft(relationship, 'uniqueRelId'),
      target: targetDraft(relationship),
    })),
    successions: membersIn(organisation.Succs, 'Succ').map((succession) => {
      const type = textIn(succession.Type);
      return {
        ...partDraft(succession, 'uniqueSuccId'),
        ...(type !== undefined && { type }),
        forward: textIn(succession.forwardSuccession),
        target: targetDraft(succession),
      };
    }),
    unknownElements: Object.keys(organisation).filter((name) => !KNOWN.has(name)),
  };
}

const KNOWN: ReadonlySet<string> = new Set([
  'Name',
  'Date',
  'OrgId',
  'Status',
  'LastChangeDate',
  'orgRecordClass',
  'refOnly',
  'GeoLoc',
  'Contacts',
  'Roles',
  'Rels',
  'Succs',
]);

function partDraft(part: Json, uniqueId: string): PartDraft {
  return {
    id: textIn(part.id),
    uniqueId: textIn(part[uniqueId]),
    status: textIn(part.Status),
    dates: datesIn(part),
  };
}

function datesIn(parent: Json): DateDraft[] {
  return listIn(parent.Date).map(({ Type, Start, End }) => ({
    type: textIn(Type),
    start: textIn(Start),
    end: textIn(End),
  }));
}

function targetDraft(part: Json): TargetDraft {
  const { OrgId, PrimaryRoleId } = objectIn(part.Target);
  const role = objectIn(PrimaryRoleId);
  return {
    code: textIn(objectIn(OrgId).extension),
    role: textIn(role.id),
    roleId: textIn(role.uniqueRoleId),
  };
}

function locationDraft(location: Json): LocationDraft {
  const draft: LocationDraft = {
    lines: [location.AddrLn1, location.AddrLn2, location.AddrLn3].map(textIn),
  };
  for (const [name, property] of LOCATION) {
    const text = textIn(location[name]);
    if (text !== undefined) draft[property] = text;
  }
  return draft;
}

const LOCATION = [
  ['Town', 'town'],
  ['County', 'county'],
  ['PostCode', 'postCode'],
  ['Country', 'country'],
  ['UPRN', 'uprn'],
] as const;

function membersIn(block: unknown, member: string): readonly Json[] {
  return listIn(objectIn(block)[member]);
}

/** The service sends some lists of one member as that member. */
function listIn(value: unknown): readonly Json[] {
  if (value === undefined || value === null) return [];
  return (Array.isArray(value) ? value : [value]).map(objectIn);
}

export function objectIn(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** The service sends unique ids and UPRNs as numbers, and flags as booleans. */
function textIn(value: unknown): string | undefined {
  const type = typeof value;
  if (type !== 'string' && type !== 'number' && type !== 'boolean') return undefined;
  const text = String(value);
  if (text.length > TEXT_LENGTH_MAX) {
    throw new ParseError(`a text of a record is longer than ${TEXT_LENGTH_MAX} characters`);
  }
  if (!fitsXml(text)) throw new ParseError('a text has a character that XML does not allow');
  return text;
}
