/** Query strings of the directory, and words that mean something in them. */

const ROLE_SYSTEM =
  'https://directory.spineservices.nhs.uk/STU3/CodeSystem/ODSAPI-OrganizationRole-1';

export const SEARCH_SEEDS: readonly string[] = [
  '',
  'name=leeds',
  'name:contains=leeds&active=true&_count=20&_page=2',
  'name:exact=LEEDS%20TEACHING%20HOSPITALS%20NHS%20TRUST',
  'address-postalcode=LS64JN&address-city:exact=Leeds&_lastUpdated=gt2020-01-01',
  'address-postalcode:contains=LS6+4&address-city=St.%20Ives',
  `ods-org-role=${ROLE_SYSTEM}%7C198,197&ods-org-primaryRole=true&_summary=count`,
  'ods-org-role=76&ods-org-role=RO177&ods-org-primaryRole=false',
  'identifier=https://fhir.nhs.uk/Id/ods-organization-code%7CRTG,RR8&_format=json',
  '_id=RTG,RR8&_pretty=true',
  '_lastUpdated=gt2017&_lastUpdated=gt2017-04&_count=1',
  'name=caf%C3%A9&_count=3&_edition=1',
];

export const SEARCH_WORDS: readonly string[] = [
  ...['&', '=', ',', '|', '\\', '\\,', '\\|', '\\\\', '%5C%2C', '%7C', '%2C', '+', '%20', ':'],
  ...['%', '%z', '%zz', '%00', '%ff', '%c0%af', '%ed%a0%80', '%f0%9f%98%80', '#', '?', ';', '&&'],
  ...['%CC%88', '%CC%96%CC%81', '%EF%AC%81', '%C4%B0', '%C3%9F', '%CF%82', '%E2%84%AA', '%00a'],
  ...['name=', 'name:exact=', 'name:contains=', 'name:missing=true', 'name:=', 'Name='],
  ...['address-postalcode=', 'address-postalcode:contains=', 'address-city:exact=', '_id='],
  ...['identifier=', '_lastUpdated=gt', '_lastUpdated=lt2020', '_lastUpdated=2020-02-30'],
  ...['active=true', 'active=false', 'active=urn:x|true', 'active:not=true', '_summary=count'],
  ...['_summary=false', '_count=0', '_count=1', '_count=20', '_count=-1', '_count=1e3', '_count=٣'],
  ...['_count=99999999999', '_page=0', '_page=2', '_page=99999999', '_page=9007199254740993'],
  ...['_edition=1', '_edition=2', '_format=xml', '_format=json', '_pretty=true', '_elements=name'],
  ...['ods-org-role=', 'ods-org-role=RO', 'ods-org-role=,', `${ROLE_SYSTEM}|`, 'RO197', '197'],
  ...['ods-org-primaryRole=true', 'ods-org-primaryRole=false', '__proto__=1', 'constructor=1'],
  ...['leeds', 'LEEDS', 'st. ', 'LS6 4JN', 'ls64jn', 'a'.repeat(101), ','.repeat(201)],
  '&'.repeat(60),
  'name=leeds&'.repeat(51),
];

export const R4_SEARCH_SEEDS: readonly string[] = [
  '',
  'name=leeds&_count=3&_offset=6',
  'name:contains=leeds&active=true&type=Full,RC1&_sort=-name',
  'roleCode=RO197,198&roleCode:not=RO57&activeRoleCode=RO157',
  'lastChangeDate=ge2017&lastChangeDate=lt2020-02&_lastUpdated=gt2000',
  'address-country=ENGLAND&address-postalcode=LS64JN&_elements=name,address',
  'identifier=https://fhir.nhs.uk/Id/ods-organization-code%7CRTG,RR8&_summary=count',
  '_revinclude=OrganizationAffiliation:primary-organization&_id=RTG,RR8',
];

export const R4_SEARCH_WORDS: readonly string[] = [
  ...['_offset=0', '_offset=7', '_offset=99999999', '_offset=9007199254740993', '_offset=-1'],
  ...['_sort=name', '_sort=-name,_id', '_sort=lastChangeDate', '_sort=', '_sort=-', '_elements=id'],
  ...[
    'type=Full',
    'type=RefOnly',
    'type=RC2',
    'roleCode:not=',
    'activeRoleCode=',
    'lastChangeDate=',
  ],
  ...['_lastUpdated=', 'address-country:exact=', '_revinclude=', 'OrganizationAffiliation:'],
];
