/** The elements of the national release file: which may stand where, by local name. */

/** A place in the file; a leaf whose text counts is one of `TextPlace`. */
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

/** What may stand in a place; a place without an entry has no children that count. */
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
    // Relationships and successions are no part of the STU3 record.
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
