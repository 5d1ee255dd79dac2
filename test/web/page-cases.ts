/** Requests of pages, with the status and the texts of each answer. */
import { HOSTILE } from './records.ts';
export const HTML = 'text/html; charset=utf-8';

export interface Case {
  readonly path: string;
  readonly status?: number;
  readonly type?: string;
  /** Texts and patterns that the page must have. */
  readonly has?: readonly (string | RegExp)[];
  readonly hasNot?: readonly (string | RegExp)[];
  readonly location?: string;
  readonly accept?: string;
}

export const CASES: readonly Case[] = [
  { path: '/', has: ['edition 3, published 28 September 2026, 3 days ago.'] },
  { path: '/', has: ['Open Government Licence v3.0', 'href="/accessibility"'], hasNot: ['newer'] },
  { path: '/accessibility', has: ['Accessibility</h1>', 'axe', 'Tell the operator'] },
  {
    path: '/?q=many&print=true',
    has: [
      '>M0002<',
      '>M0044<',
      'Search for “many” on 1 October 2026: ',
      '/?q=many&amp;print=true</span>',
      'href="/?q=many&amp;status=all"',
    ],
    hasNot: ['nhsuk-pagination', 'Print all', 'Unknown query parameter'],
  },
  { path: '/?q=many', has: ['<a href="/?q=many&amp;print=true">Print all 36</a>'] },
  { path: '/?q=leeds', hasNot: ['Print all'] },
  { path: '/?q=many&print=yes', has: ['print must be true or false. Got &quot;yes&quot;.'] },
  { path: '/', has: ['Find an organisation code', 'name="q"', /All <[^>]*>\(53\)/] },
  { path: '/?q=rtg', status: 303, location: '/organizations/RTG?q=rtg' },
  { path: '/?q=RTG&as=name', has: ['No results found', 'is also a code', '/organizations/RTG'] },
  {
    path: '/?q=many',
    has: [
      'id="results-heading">36 active organisations</h2>',
      '<a href="/?q=many&amp;status=all">Also show 9 inactive organisations</a>',
      'whose name contains <b>many</b>',
      'Results 1 to 20 of 36 active organisations',
      'aria-label="Page 2"',
      /M0001.*M0002/s,
    ],
    // Names that begin with the word come first.
    hasNot: ['M0000'],
  },
  // Of names that only contain the word, the inactive ones come last.
  {
    path: '/?q=many&status=all&page=3',
    has: ['Results 41 to 45 of 45 organisations', /M0000.*M0015.*M0030/s],
    hasNot: ['M0001', 'M0005'],
  },
  { path: '/?q=many&page=9', has: ['only 2 pages', 'q=many&amp;page=2'] },
  { path: '/?q=many&page=999999999', has: ['only 2 pages', 'q=many&amp;page=2'] },
  // Where there is nothing active, the rest is shown at once.
  { path: '/?q=cafe', has: ['1 inactive organisation</h2>', 'No active organisation matches.'] },
  {
    path: '/?q=many&status=active&role=177',
    has: [
      '18 active organisations',
      'Filtered by:',
      'Prescribing cost centre<span class="app-screen"> – ',
      'value="177" form="look-up" checked',
    ],
  },
  {
    path: '/?status=inactive',
    has: ['10 inactive organisations', '<title>10 inactive organisations – Gazetteer</title>'],
  },
  { path: '/?town=york&status=active', has: ['36 active organisations', 'Town begins with York'] },
  { path: '/?q=YO1', has: ['36 active organisations', 'whose postcode begins with <b>YO1</b>'] },
  {
    path: '/?q=leeds',
    has: [
      'whose name contains <b>leeds</b>',
      '2 organisations in towns that begin with <b>leeds</b>',
    ],
  },
  {
    path: '/?q=many&as=town',
    has: ['No results found', 'You can look for these instead:', 'whose name contains <b>many</b>'],
    hasNot: ['also'],
  },
  { path: '/?q=leeds&as=town', has: ['in towns that begin with <b>leeds</b>'] },
  { path: '/?q=cafe', has: ['Caf\u00e9 &quot;Quotes&quot; &amp; &lt;Angle&gt; Clinic'] },
  {
    path: '/?q=LS9+9ZZ',
    has: [
      'No results found',
      'Did you mean <a href="/?q=LS9">LS9</a> (1 active organisation)?',
      'try fewer words',
    ],
  },
  { path: '/?q=leeds+xyzzy', has: ['No results found'], hasNot: ['Did you mean'] },
  {
    path: '/?q=leeds&status=inactive',
    has: ['No results found', '<a href="/?q=leeds">', 'also remove filters'],
  },
  // A link counts what its page shows.
  { path: '/?q=YO1+9ZZ', has: ['<a href="/?q=YO1">YO1</a> (36 active organisations)'] },
  {
    path: `/?q=${encodeURIComponent(HOSTILE)}`,
    has: ['&lt;script&gt;'],
    hasNot: ['<script>globalThis', '<img src=x'],
  },
  { path: '/?q=hostile', has: ['HOSTILE &quot;&gt;&lt;img'], hasNot: ['<img src=x'] },
  { path: '/?q=%ff%00%0d%0aX:y', has: ['No results found'] },
  // What says nothing is left out of addresses.
  { path: '/?q=leeds&status=&town=', status: 303, location: '/?q=leeds' },
  { path: '/?q=&status=&town=&role=', status: 303, location: '/' },
  { path: '/?q=&role=177&status=active', status: 303, location: '/?role=177&status=active' },
  { path: '/?q=many&status=all', has: ['Filtered by:'], hasNot: ['Also show'] },
  { path: '/?q=leeds', hasNot: ['Also show'] },
  { path: '/', hasNot: ['Also show'] },
  {
    path: `/?q=${'x'.repeat(201)}`,
    has: ['No results found', 'used only the first 200 characters'],
  },
  { path: `/?q=++${'x'.repeat(200)}`, hasNot: ['characters were looked for'] },
  {
    path: `/?town=york&status=active${roleParameters(51)}`,
    has: ['used only the first 50'],
  },
  { path: `/?town=york${roleParameters(50)}`, hasNot: ['roles were looked for'] },
  {
    path: '/?q=%25',
    has: ['No results found'],
    hasNot: ['remove filters'],
  },
  {
    path: '/?role=xyz',
    has: ['No results found', 'Unknown role &quot;xyz&quot;.', 'remove filters'],
    hasNot: ['part of a postcode', 'fewer words', 'spelling'],
  },
  { path: '/?role=177', hasNot: ['Unknown role'] },
  { path: '/?role=ro177&status=all', has: ['value="177" form="look-up" checked'] },
  { path: '/?role=Prescribing+Cost+Centre', has: ['value="177" form="look-up" checked'] },
  {
    path: '/?rol=177&status=closed',
    has: [
      'Unknown query parameter &quot;rol&quot;. Did you mean &quot;role&quot;? The query parameters are q, as, role,',
      'Unknown value &quot;closed&quot; of status.',
    ],
  },
  { path: '/?q=xyzzy', has: ['fewer words', 'spelling'], hasNot: ['Did you mean'] },
  {
    path: '/organizations/RTG',
    has: [
      '<h1 class="nhsuk-heading-l app-long nhsuk-u-margin-bottom-3">UNIVERSITY HOSPITALS OF DERBY',
      'https://www.openstreetmap.org/search?query=DE22%203NE',
      'since 1 April 2001',
      'NHS trust',
      '/STU3/Organization/RTG',
      '&quot;resourceType&quot;: &quot;Organization&quot;',
      '&lt;Organization xmlns=&quot;http://hl7.org/fhir&quot;&gt;',
      '<a href="/editions/3">Edition 3</a> added this organisation',
    ],
  },
  {
    path: '/organizations/RTG?q=rtg',
    has: ['Search for “rtg” in names instead', 'q=rtg&amp;as=name'],
    hasNot: ['Back to results'],
  },
  {
    path: '/?q=many&page=2&role=177&status=all',
    has: [
      '<a class="app-long" href="/organizations/M0030?q=many&amp;role=177&amp;status=all&amp;page=2">',
    ],
  },
  {
    path: '/organizations/M0042?q=many&role=177&page=2&evil=1',
    has: ['href="/?q=many&amp;role=177&amp;page=2">Back to results</a>'],
    hasNot: ['evil'],
  },
  {
    path: '/organizations/RTG?q=rtg&as=name',
    has: ['href="/?q=rtg&amp;as=name">Back to results</a>'],
  },
  { path: '/organizations/RTG', hasNot: ['Back to results'] },
  { path: '/organizations/RTG?q=Pay+me', hasNot: ['Pay me', 'is the code of'] },
  { path: '/organizations/RTG?q=A81001', hasNot: ['is the code of'] },
  { path: '/organizations/rtg', status: 303, location: '/organizations/RTG' },
  {
    path: '/organizations/A81001',
    has: ['tel:01642000000', 'https://example.org/?a=1&amp;b=2'],
    // What has not changed has no differences.
    hasNot: ['Differences', 'What changed</h2>', 'What happened'],
  },
  {
    path: '/organizations/RR8',
    has: ['LEEDS HOSPITALS', 'Differences</h2>', /Status.*Inactive.*Active/s, 'Before', 'Now'],
  },
  {
    path: '/organizations/A81002',
    has: ['no longer kept, so this page cannot show the differences'],
  },
  { path: '/organizations/X1', has: ['Role RO999', 'Not known'] },
  {
    path: '/organizations/ZX1',
    has: ['&lt;script&gt;'],
    hasNot: ['<img src=x', 'href="javascript', 'href="mailto', 'href="tel'],
  },
  {
    path: '/organizations/NONE',
    status: 404,
    has: ['No organisation has the code NONE', 'name="q"'],
  },
  {
    path: '/organizations/gone1',
    status: 404,
    has: ['It was removed from the directory with edition 3.'],
  },
  {
    path: '/organizations/RR8.json',
    type: 'application/fhir+json; charset=utf-8',
    has: [/^\{\s+"resourceType": "Organization",\s+"id": "RR8"/],
  },
  {
    path: '/organizations/rr8.xml',
    type: 'application/fhir+xml; charset=utf-8',
    has: [/<Organization xmlns="http:\/\/hl7.org\/fhir">\s+<id value="RR8"/],
  },
  {
    path: '/organizations/RR8.csv',
    type: 'text/csv; charset=utf-8',
    has: [/^code,name,status,.*\r\nRR8,LEEDS TEACHING HOSPITALS NHS TRUST,active,[^\n]*\n$/is],
  },
  {
    path: '/organizations/NONE.json',
    status: 404,
    type: 'text/plain; charset=utf-8',
    has: ['No organisation has the code NONE. Check the code.'],
  },
  {
    path: '/organizations/RR8.pdf',
    status: 404,
    has: [
      'No organisation has the code RR8.pdf',
      'A code has no dots. The address of an organisation can end in .json, .xml, .csv.',
    ],
  },
  { path: '/organizations/RR8', has: ['href="/organizations/RR8.csv"'] },
  { path: '/organizations/%3Cb%3E', status: 404, has: ['&lt;b&gt;'], hasNot: ['<b>'] },
  {
    path: '/editions',
    has: [
      '/editions/3',
      'Current',
      'The first edition',
      /Published <\/span>28 September 2026<.*Imported <\/span>29 September 2026, 09:00 UTC</s,
    ],
  },
  {
    path: '/editions/3',
    has: [
      'Compared with <a href="/editions/2">',
      'GONE1',
      'LEEDS TEACHING',
      'NHS trust',
      'changes.csv',
      'published 28 September 2026. Imported 29 September 2026, 09:00 UTC.',
      // It is in no current edition: the one before says its name.
      /GONE1<\/span> <span class="app-long">THE GONE SURGERY</,
    ],
    hasNot: [/ <\/span>0</],
  },
  {
    path: '/editions/1',
    has: [
      'all its organisations count as added',
      'GP practice',
      'no longer kept',
      'href="/editions/1/changes.csv"',
    ],
    hasNot: ['next import'],
  },
  { path: '/editions/4', status: 404, has: ['Page not found'] },
  { path: '/editions/0', status: 404 },
  { path: '/editions/x', status: 404, accept: 'text/html' },
  {
    path: '/editions/3/changes.csv',
    type: 'text/csv; charset=utf-8',
    has: ['change,code\r\nadded,RTG\r\n', 'removed,GONE1\r\n'],
  },
  { path: '/editions/9/changes.csv', status: 404 },
  {
    path: '/statistics',
    has: [
      'Edition 3, published 28 September 2026.',
      '<th class="nhsuk-table__header" scope="col">Published</th>',
      'Organisations by main role',
      'main-roles-narrow.svg?edition=3',
      '/statistics/towns.csv',
      '<td class="nhsuk-table__cell">York</td>',
      '81.1% of 53',
    ],
  },
  {
    path: '/reports',
    has: [
      '<h1 class="nhsuk-heading-l">Reports and downloads</h1>',
      'href="/api/getReport?report=epraccur&amp;headers=true"',
      'href="/assets/ods/current/epraccur.zip"',
      'pd.read_csv(',
    ],
  },
  { path: '/statistics/main-roles.svg', type: 'image/svg+xml', has: ['<svg', 'GP practice'] },
  {
    path: '/statistics/changes-by-month-narrow.svg',
    type: 'image/svg+xml',
    has: ['September 2026'],
  },
  {
    path: '/statistics/towns.csv',
    type: 'text/csv; charset=utf-8',
    has: ['Town,Organisations\r\nYork,45\r\n'],
  },
  { path: '/statistics/status.csv', type: 'text/csv; charset=utf-8', has: ['Active,43,81.1%'] },
  { path: '/statistics/nothing.svg', status: 404 },
  { path: '/statistics/towns-narrow.csv', status: 404 },
  { path: '/statistics/towns-dark.csv', status: 404 },
  // For people whose system is set to dark.
  {
    path: '/statistics/main-roles-dark.svg',
    type: 'image/svg+xml',
    has: ['GP practice', '#edf1f3'],
    hasNot: ['#fff"', '#212b32'],
  },
  { path: '/statistics/main-roles-narrow-dark.svg', type: 'image/svg+xml', has: ['<svg'] },
  { path: '/statistics/constructor.svg', status: 404 },
  {
    path: '/api',
    has: [
      // For each language, R4 stands before STU3.
      /FhirContext\.forR4\(\).*FhirContext\.forDstu3\(\)/s,
      /id="sample-curl-R4".*\/R4\/Organization.*id="sample-curl-STU3".*\/STU3\/Organization/s,
      /FHIR R4<.*FHIR STU3<.*legacy JSON</s,
      'using Hl7.Fhir.Rest',
      'import requests',
      'openapi.json',
      '/STU3/Organization/RTG',
    ],
    hasNot: [/id="sample-curl-STU3".*id="sample-curl-STU3"/s],
  },
  {
    path: '/suggestions?q=many',
    type: 'application/json; charset=utf-8',
    has: [/^\[.*"code":"M0001".*\]$/],
  },
  {
    path: `/suggestions?q=${'x'.repeat(70)}`,
    type: 'application/json; charset=utf-8',
    has: [/^\[\]$/],
  },
  // Of what is pasted, the beginning counts.
  {
    path: `/suggestions?q=${'Donaudampfschifffahrtsgesellschaftskapit%C3%A4n'.repeat(2)}zzz`,
    type: 'application/json; charset=utf-8',
    has: ['"code":"ZX2"'],
  },
  {
    path: '/?q=many+many+surgery+a+b+c+d+e',
    has: ['No results found', 'too many words'],
  },
  { path: '/?q=many+surgery+m+a+y', hasNot: ['too many words'] },
  {
    path: '/?q=many+surgery+m+a+n+y',
    has: ['<b>many surgery m a n</b>', 'too many words'],
  },
  { path: '/suggestions', type: 'application/json; charset=utf-8', has: [/^\[\]$/] },
  { path: '/suggestions?q=M00', type: 'application/json; charset=utf-8', has: ['M0000', 'M0002'] },
  { path: '/nothing', status: 404, accept: 'text/html', has: ['Page not found'] },
  { path: '/%', status: 400, accept: 'text/html', has: ['The address is not correct'] },
  {
    path: '/refused',
    status: 429,
    accept: 'text/html',
    has: ['Too many requests', 'Wait 3 seconds'],
  },
  { path: '/assets/nothing.css', status: 404 },
  { path: '/assets/..%2fweb.ts', status: 404 },
  { path: '/editions/', has: ['Editions'] },
];

export function roleParameters(count: number): string {
  return Array.from({ length: count }, (_, i) => `&role=${i + 1000}`).join('');
}
