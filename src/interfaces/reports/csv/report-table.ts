/** The reports of the national service Data Search and Export, and the packs of several of them. */
import { memberLayout, NETWORK_PARTNERS, NETWORKS, successionLayout } from './own-layouts.ts';
import type { Layout, Organisations, Report, ReportContent, StandardOptions } from './report.ts';
import { standardLayout } from './standard-layout.ts';

/** "Is operated by", "is a sub-division of" and "is commissioned by". */
const OPERATOR = '6 2 4';
const COMMISSIONER = '4';

const PRISONS_COURTS_POLICE = '69 175 220 228 230 231 232 233 234 235 236';

/** Schools of all kinds, without further and higher education. */
const SCHOOLS =
  '221 281 282 283 284 285 286 287 288 289 290 291 292 294 297 299 300 ' +
  '301 302 303 304 305 306 307 308 309 310 311 312 313';

/** `roles`: the codes of primary roles, separated by spaces, or the organisations. */
function organisationsOf(roles: string | Organisations): Organisations {
  return typeof roles === 'string' ? { primary: roles.split(' ') } : roles;
}

/** `columns`: the numbers of the columns. `parent`: the types of relationships to the parent. */
function standard(
  name: string,
  title: string,
  roles: string | Organisations,
  columns: string,
  parent?: string,
  options: Pick<StandardOptions, 'hasAllocation' | 'isOfArchive'> = {},
): Report {
  const layout = standardLayout({
    ...options,
    columns: columns.split(' ').map(Number),
    ...(parent !== undefined && { parent: parent.split(' ') }),
  });
  return { name, title, content: { organisations: organisationsOf(roles), layout } };
}

/** A report of the relationships or successions of organisations. */
function links(name: string, title: string, layout: Layout, roles?: string): Report {
  const organisations = roles !== undefined && { organisations: organisationsOf(roles) };
  const isWithoutAmendments = layout !== NETWORKS;
  return { name, title, content: { ...organisations, layout }, isWithoutAmendments };
}

/** The release has no data for it. */
function supplied(name: string, title: string): Report {
  return { name, title };
}

const CARE_HOME = [/^CARE HOME$/i];
const CARE_HOME_HEADQUARTERS = { primary: [/^SOCIAL CARE PROVIDER$/i], other: CARE_HOME };
const CARE_HOME_SITES = { primary: [/^SOCIAL CARE SITE$/i], other: CARE_HOME };
const ISLE_OF_MAN = { primary: [/^ISLE OF MAN\b/i] };
const EXECUTIVE_AGENCIES_AND_PARTNERSHIPS = '116 89 90 91 261 318';

/** In the order of their names. */
export const REPORTS: readonly Report[] = [
  supplied('eabeydispgp', 'Practitioners in abeyance and dispersal'),
  standard('eauth', 'Regions of NHS England, Welsh bodies', '209 210 200 185', '3 14 18 22'),
  standard('ebranchs', 'Branch surgeries', '96', '3 4 15 16 17 18 22', OPERATOR),
  standard('ecarehomehq', 'Headquarters of care homes', CARE_HOME_HEADQUARTERS, '22'),
  standard('ecarehomesite', 'Care homes', CARE_HOME_SITES, '3 4 15 16 17 18 22 24', OPERATOR),
  standard('eccg', 'Clinical commissioning groups', '98', '3 4 14 22'),
  standard('eccgsite', 'Sites of commissioning groups', '99', '3 4 15 16 17 22', OPERATOR),
  supplied('econcur', 'Consultants'),
  standard('ecsu', 'Commissioning support units', '213', '14 22'),
  standard('ecsusite', 'Sites of commissioning support units', '214', '14 22'),
  standard('ect', 'Care trusts', '107', '3 4 14 18 22'),
  standard('ectsite', 'Sites of care trusts', '108', '3 4 14 15 18 22', OPERATOR),
  supplied('edconcur', 'Dental consultants'),
  standard('edispensary', 'Pharmacies', '182', '3 4 13 14 15 16 17 18 22 24', OPERATOR),
  standard('educate', 'Education establishments', '117 293 298', '3 4 18 22'),
  standard('egdpprac', 'Dental practices', '110', '3 4 13 14 15 16 17 18 22', COMMISSIONER),
  supplied('egmcmem', 'General medical practitioners by GMC number'),
  supplied('egpcur', 'General medical practitioners'),
  standard('ehospice', 'Hospices outside the NHS', { other: ['7'] }, '3 4 14 18 22'),
  standard('eiom', 'Bodies of the Isle of Man', ISLE_OF_MAN, '3 4 14 18 22'),
  standard('ejustice', 'Prisons, courts and police', PRISONS_COURTS_POLICE, '3 4 14 18 22'),
  standard('enonnhs', 'Organisations outside the NHS', '157', '3 4 14 18 22'),
  standard('ensa', 'NHS support agencies', '161', '3 4 14 18 22'),
  supplied('enurse', 'Nurse prescribers'),
  standard('eopthq', 'Headquarters of opticians', '166', '18 22'),
  standard('eoptsite', 'Opticians', '167', '3 4 15 16 17 18 22 24', OPERATOR),
  standard(
    'eother',
    'Executive agencies, and strategic partnerships such as integrated care boards',
    EXECUTIVE_AGENCIES_AND_PARTNERSHIPS,
    '3 4 14 18 22',
  ),
  supplied('epcdp', 'Private prescribers of controlled drugs'),
  links('epcmem', 'Practices and their commissioners', memberLayout(['4']), '177'),
  links('epcn', 'Primary care networks', NETWORKS, '272'),
  links('epcncorepartnerdetails', 'Practices and their networks', NETWORK_PARTNERS, '177'),
  standard('epharmacyhq', 'Headquarters of pharmacies', '181', '18 22'),
  standard('ephp', 'Independent providers of healthcare', '172', '3 4 22'),
  standard('ephpsite', 'Sites of independent providers', '176', '14 15', OPERATOR),
  standard('eplab', 'Pathology laboratories', '173', '15 18 22', OPERATOR),
  {
    ...standard(
      'epracarc',
      'Practices that had closed before 31 March 2017',
      '177',
      '3 4 13 14 15 16 17 18 22 24 26',
      COMMISSIONER,
      { hasAllocation: true, isOfArchive: true },
    ),
    prefersFile: true,
  },
  standard(
    'epraccur',
    'GP practices and other prescribing cost centres',
    '177',
    '3 4 13 14 15 16 17 18 22 24 26',
    COMMISSIONER,
    { hasAllocation: true },
  ),
  supplied('epracmem', 'Practitioners and their practices'),
  standard('eschools', 'Schools', SCHOOLS, '3 4 14 18 22'),
  standard('espha', 'Special health authorities', '189', '3 4 14 18 22'),
  standard('etr', 'NHS trusts', '197', '3 4 18 22'),
  standard('etreat', 'Treatment centres', { other: ['29'] }, '3 4 14 15 18 22', OPERATOR),
  standard('etrust', 'NHS trusts and their sites', '197 198', '3 4 14 15 18 22', OPERATOR),
  standard('ets', 'Sites of NHS trusts', '198', '14 15 18 22', OPERATOR),
  standard('lauth', 'Local authorities', '141', '3 4 14 18 22'),
  standard('lauthsite', 'Sites of local authorities', '222', '3 4 14 15 18 22', OPERATOR),
  supplied('ngpcur', 'General medical practitioners of Northern Ireland'),
  standard('niorg', 'Bodies of Northern Ireland', '153 154 155', '14 18 22'),
  links('nlhscgpr', 'Northern Irish practices and groups', memberLayout(['6', '2', '4']), '315'),
  standard('npraccur', 'Northern Irish practices', '315', '14 15 16 17 18 22', OPERATOR),
  links('succ', 'Codes and the codes that replaced them', successionLayout(false)),
  links('succarc', 'Codes that were replaced before 31 March 2017', successionLayout(true)),
  standard('wlhb', 'Welsh local health boards', '144', '14 18 22'),
  standard('wlhbsite', 'Sites of Welsh local health boards', '149', '14 15 18 22', OPERATOR),
];

/** The names of the reports of each pack. */
export const REPORT_BUNDLES: Readonly<Record<string, readonly string[]>> = {
  prescribingDataPack: [
    'ebranchs',
    'edispensary',
    'egmcmem',
    'egpcur',
    'epcmem',
    'epharmacyhq',
    'epraccur',
    'epracmem',
  ],
};

const BY_NAME = new Map(REPORTS.map((report) => [report.name, report]));

export function reportNamed(name: string): Report | undefined {
  return BY_NAME.get(name);
}

/** Throws if the table has no such report, or the release has none of its data. */
export function contentOf(name: string): ReportContent {
  const content = reportNamed(name)?.content;
  if (content === undefined) throw new Error(`there is no report ${name}`);
  return content;
}
