/** The reports of the national service Data Search and Export, and the packs of several of them. */
import { memberLayout, NETWORK_PARTNERS, NETWORKS, successionLayout } from './own-layouts.ts';
import type { Organisations, Report, ReportContent } from './report.ts';
import { type StandardOptions, standardLayout } from './standard-layout.ts';

/** "Is operated by", "is a sub-division of" and "is commissioned by". */
const OPERATOR = ['6', '2', '4'];
const COMMISSIONER = ['4'];

const ALL_ROLES_OF_SCHOOLS = [
  '221',
  ...[281, 282, 283, 284, 285, 286, 287, 288, 289, 290, 291, 292, 294, 297, 299, 300].map(String),
  ...Array.from({ length: 13 }, (_, at) => String(301 + at)),
];

const PRISONS_COURTS_POLICE = [
  ...['175', '220', '228', '230', '231', '232', '69'],
  ...['233', '234', '235', '236'],
];

function standard(
  name: string,
  title: string,
  organisations: Organisations,
  columns: readonly number[],
  options: Omit<StandardOptions, 'columns'> = {},
): Report {
  return {
    name,
    title,
    content: { organisations, layout: standardLayout({ ...options, columns }) },
  };
}

const supplied = (name: string, title: string): Report => ({ name, title });

const operated = { parent: OPERATOR };

/** In the order of their names. */
export const REPORTS: readonly Report[] = [
  supplied('eabeydispgp', 'Practitioners in abeyance and dispersal'),
  standard(
    'eauth',
    'Regions of NHS England and their offices, and Welsh bodies',
    { primary: ['209', '210', '200', '185'] },
    [3, 14, 18, 22],
  ),
  standard(
    'ebranchs',
    'Branch surgeries',
    { primary: ['96'] },
    [3, 4, 15, 16, 17, 18, 22],
    operated,
  ),
  standard(
    'ecarehomehq',
    'Headquarters of care homes',
    { primary: [/^SOCIAL CARE PROVIDER$/i], other: [/^CARE HOME$/i] },
    [22],
  ),
  standard(
    'ecarehomesite',
    'Care homes',
    { primary: [/^SOCIAL CARE SITE$/i], other: [/^CARE HOME$/i] },
    [3, 4, 15, 16, 17, 18, 22, 24],
    operated,
  ),
  standard('eccg', 'Clinical commissioning groups', { primary: ['98'] }, [3, 4, 14, 22]),
  standard(
    'eccgsite',
    'Sites of clinical commissioning groups',
    { primary: ['99'] },
    [3, 4, 15, 16, 17, 22],
    operated,
  ),
  supplied('econcur', 'Consultants'),
  standard('ecsu', 'Commissioning support units', { primary: ['213'] }, [14, 22]),
  standard('ecsusite', 'Sites of commissioning support units', { primary: ['214'] }, [14, 22]),
  standard('ect', 'Care trusts', { primary: ['107'] }, [3, 4, 14, 18, 22]),
  standard(
    'ectsite',
    'Sites of care trusts',
    { primary: ['108'] },
    [3, 4, 14, 15, 18, 22],
    operated,
  ),
  supplied('edconcur', 'Dental consultants'),
  standard(
    'edispensary',
    'Pharmacies',
    { primary: ['182'] },
    [3, 4, 13, 14, 15, 16, 17, 18, 22, 24],
    operated,
  ),
  standard('educate', 'Education establishments', { primary: ['117'] }, [3, 4, 18, 22]),
  standard(
    'egdpprac',
    'General dental practices',
    { primary: ['110'] },
    [3, 4, 13, 14, 15, 16, 17, 18, 22],
    { parent: COMMISSIONER },
  ),
  supplied('egmcmem', 'General medical practitioners by GMC number'),
  supplied('egpcur', 'General medical practitioners'),
  standard('ehospice', 'Hospices outside the NHS', { other: ['7'] }, [3, 4, 14, 18, 22]),
  standard(
    'eiom',
    'Bodies of the Isle of Man',
    { primary: [/^ISLE OF MAN\b/i] },
    [3, 4, 14, 18, 22],
  ),
  standard(
    'ejustice',
    'Prisons, courts and police',
    { primary: PRISONS_COURTS_POLICE },
    [3, 4, 14, 18, 22],
  ),
  standard('enonnhs', 'Organisations outside the NHS', { primary: ['157'] }, [3, 4, 14, 18, 22]),
  standard('ensa', 'NHS support agencies', { primary: ['161'] }, [3, 4, 14, 18, 22]),
  supplied('enurse', 'Nurse prescribers'),
  standard('eopthq', 'Headquarters of opticians', { primary: ['166'] }, [18, 22]),
  standard('eoptsite', 'Opticians', { primary: ['167'] }, [3, 4, 15, 16, 17, 18, 22, 24], operated),
  standard(
    'eother',
    'Executive agencies, and strategic partnerships such as integrated care boards',
    { primary: ['116', '89', '90', '91', '261', '318'] },
    [3, 4, 14, 18, 22],
  ),
  standard(
    'epcdp',
    'Private prescribers of controlled drugs',
    { primary: [/PRIVATE.*CONTROLLED DRUG/i] },
    [3, 4, 14, 15, 16, 17, 18, 22],
    { parent: COMMISSIONER },
  ),
  {
    name: 'epcmem',
    title: 'Practices and their commissioners',
    content: { organisations: { primary: ['177'] }, layout: memberLayout(COMMISSIONER) },
    isWithoutAmendments: true,
  },
  {
    name: 'epcn',
    title: 'Primary care networks',
    content: { organisations: { primary: ['272'] }, layout: NETWORKS },
  },
  {
    name: 'epcncorepartnerdetails',
    title: 'Practices and their primary care networks',
    content: { organisations: { primary: ['177'] }, layout: NETWORK_PARTNERS },
    isWithoutAmendments: true,
  },
  standard('epharmacyhq', 'Headquarters of pharmacies', { primary: ['181'] }, [18, 22]),
  standard('ephp', 'Independent providers of healthcare', { primary: ['172'] }, [3, 4, 22]),
  standard(
    'ephpsite',
    'Sites of independent providers of healthcare',
    { primary: ['176'] },
    [14, 15],
    operated,
  ),
  standard('eplab', 'Pathology laboratories', { primary: ['173'] }, [15, 18, 22], operated),
  supplied('epracarc', 'Archived practices'),
  standard(
    'epraccur',
    'GP practices and other prescribing cost centres',
    { primary: ['177'] },
    [3, 4, 13, 14, 15, 16, 17, 18, 22, 24, 26],
    { parent: COMMISSIONER, hasAllocation: true },
  ),
  supplied('epracmem', 'Practitioners and their practices'),
  standard('eschools', 'Schools', { primary: ALL_ROLES_OF_SCHOOLS }, [3, 4, 14, 18, 22]),
  standard('espha', 'Special health authorities', { primary: ['189'] }, [3, 4, 14, 18, 22]),
  standard('etr', 'NHS trusts', { primary: ['197'] }, [3, 4, 18, 22]),
  standard('etreat', 'Treatment centres', { other: ['29'] }, [3, 4, 14, 15, 18, 22], operated),
  standard(
    'etrust',
    'NHS trusts and their sites',
    { primary: ['197', '198'] },
    [3, 4, 14, 15, 18, 22],
    operated,
  ),
  standard('ets', 'Sites of NHS trusts', { primary: ['198'] }, [14, 15, 18, 22], operated),
  standard('lauth', 'Local authorities', { primary: ['141'] }, [3, 4, 14, 18, 22]),
  standard(
    'lauthsite',
    'Sites of local authorities',
    { primary: ['222'] },
    [3, 4, 14, 15, 18, 22],
    operated,
  ),
  supplied('ngpcur', 'General medical practitioners of Northern Ireland'),
  standard('niorg', 'Bodies of Northern Ireland', { primary: ['153', '154', '155'] }, [14, 18, 22]),
  {
    name: 'nlhscgpr',
    title: 'Practices of Northern Ireland and their groups',
    content: { organisations: { primary: ['315'] }, layout: memberLayout(OPERATOR) },
    isWithoutAmendments: true,
  },
  standard(
    'npraccur',
    'GP practices of Northern Ireland',
    { primary: ['315'] },
    [14, 15, 16, 17, 18, 22],
    operated,
  ),
  {
    name: 'succ',
    title: 'Codes and the codes that replaced them',
    content: { layout: successionLayout(false) },
    isWithoutAmendments: true,
  },
  {
    name: 'succarc',
    title: 'Codes and the codes that replaced them before 31 March 2017',
    content: { layout: successionLayout(true) },
    isWithoutAmendments: true,
  },
  standard('wlhb', 'Welsh local health boards', { primary: ['144'] }, [14, 18, 22]),
  standard(
    'wlhbsite',
    'Sites of Welsh local health boards',
    { primary: ['149'] },
    [14, 15, 18, 22],
    operated,
  ),
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
