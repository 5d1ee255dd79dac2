/** The elements of a release file by local name, and the elements that each may contain. */

/** The role of an element in the file. An element whose text is read is a `TextPlace`. */
export type Place =
  | 'document'
  | 'root'
  | 'manifest'
  | 'manifestValue'
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
  | 'roleDate'
  | 'roleStatus'
  | 'skipped'
  | TextPlace;

export type TextPlace =
  | 'name'
  | 'addressLine1'
  | 'addressLine2'
  | 'addressLine3'
  | 'town'
  | 'county'
  | 'postCode'
  | 'country'
  | 'uprn';

/** The children that the parser reads, for each place. It skips all others. */
export const childPlaces: { readonly [place in Place]?: ReadonlyMap<string, Place> } = {
  document: places({ OrgRefData: 'root' }),
  root: places({
    Manifest: 'manifest',
    CodeSystems: 'codeSystems',
    Organisations: 'organisations',
  }),
  manifest: places({
    Version: 'manifestValue',
    PublicationType: 'manifestValue',
    PublicationDate: 'manifestValue',
    PublicationSeqNum: 'manifestValue',
    RecordCount: 'manifestValue',
  }),
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
    // Records have no relationships and no successions.
    Rels: 'skipped',
    Succs: 'skipped',
  }),
  organisationDate: places({ Type: 'dateType', Start: 'dateStart', End: 'dateEnd' }),
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
  role: places({ Date: 'roleDate', Status: 'roleStatus' }),
  roleDate: places({ Type: 'dateType', Start: 'dateStart', End: 'dateEnd' }),
};

function places(children: Readonly<Record<string, Place>>): ReadonlyMap<string, Place> {
  return new Map(Object.entries(children));
}
