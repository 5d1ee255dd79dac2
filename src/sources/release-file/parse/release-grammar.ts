/** The elements of a release file by local name, and the elements that each may contain. */

/** The role of an element in the file. An element whose text is read is a `TextPlace`. */
export type Place =
  | 'document'
  | 'root'
  | 'manifest'
  | 'manifestValue'
  | 'primaryRoleScope'
  | 'primaryRole'
  | 'codeSystems'
  | 'codeSystem'
  | 'concept'
  | 'organisations'
  | 'organisation'
  | 'organisationDate'
  | 'dateType'
  | 'dateStart'
  | 'dateEnd'
  | 'orgId'
  | 'organisationStatus'
  | 'lastChangeDate'
  | 'geoLoc'
  | 'location'
  | 'contacts'
  | 'contact'
  | 'roles'
  | 'role'
  | 'relationships'
  | 'relationship'
  | 'successions'
  | 'succession'
  | 'partDate'
  | 'partStatus'
  | 'target'
  | 'targetId'
  | 'targetRole'
  | TextPlace;

export type TextPlace = (typeof TEXT_PLACES)[number];

export const TEXT_PLACES = [
  'name',
  'addressLine1',
  'addressLine2',
  'addressLine3',
  'town',
  'county',
  'postCode',
  'country',
  'uprn',
  'successionType',
  'forwardSuccession',
] as const;

/** A Date of an organisation, of a role, of a relationship or of a succession. */
const DATE = places({ Type: 'dateType', Start: 'dateStart', End: 'dateEnd' });

/** The children that the parser reads, for each place. It skips all others. */
export const childPlaces: { readonly [place in Place]?: ReadonlyMap<string, Place> } = {
  // A record of ORD is such an element alone.
  document: places({ OrgRefData: 'root', Organisation: 'organisation' }),
  root: places({
    Manifest: 'manifest',
    CodeSystems: 'codeSystems',
    Organisations: 'organisations',
  }),
  manifest: places({
    Version: 'manifestValue',
    PublicationType: 'manifestValue',
    PublicationSource: 'manifestValue',
    PublicationDate: 'manifestValue',
    PublicationSeqNum: 'manifestValue',
    FileCreationDateTime: 'manifestValue',
    RecordCount: 'manifestValue',
    ContentDescription: 'manifestValue',
    PrimaryRoleScope: 'primaryRoleScope',
  }),
  primaryRoleScope: places({ PrimaryRole: 'primaryRole' }),
  codeSystems: places({ CodeSystem: 'codeSystem' }),
  codeSystem: places({ concept: 'concept' }),
  organisations: places({ Organisation: 'organisation' }),
  organisation: places({
    Name: 'name',
    Date: 'organisationDate',
    OrgId: 'orgId',
    Status: 'organisationStatus',
    LastChangeDate: 'lastChangeDate',
    GeoLoc: 'geoLoc',
    Contacts: 'contacts',
    Roles: 'roles',
    Rels: 'relationships',
    Succs: 'successions',
  }),
  organisationDate: DATE,
  geoLoc: places({ Location: 'location' }),
  location: places({
    AddrLn1: 'addressLine1',
    AddrLn2: 'addressLine2',
    AddrLn3: 'addressLine3',
    Town: 'town',
    County: 'county',
    PostCode: 'postCode',
    Country: 'country',
    UPRN: 'uprn',
  }),
  contacts: places({ Contact: 'contact' }),
  roles: places({ Role: 'role' }),
  role: places({ Date: 'partDate', Status: 'partStatus' }),
  relationships: places({ Rel: 'relationship' }),
  relationship: places({ Date: 'partDate', Status: 'partStatus', Target: 'target' }),
  successions: places({ Succ: 'succession' }),
  succession: places({
    Date: 'partDate',
    Status: 'partStatus',
    Type: 'successionType',
    Target: 'target',
    forwardSuccession: 'forwardSuccession',
  }),
  partDate: DATE,
  target: places({ OrgId: 'targetId', PrimaryRoleId: 'targetRole' }),
};

function places(children: Readonly<Record<string, Place>>): ReadonlyMap<string, Place> {
  return new Map(Object.entries(children));
}
