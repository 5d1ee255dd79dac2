/** What FHIR requires of searches of the directory, with the tests that show it. */
import { type Chapter, must, should } from './statement.ts';

export const DIRECTORY_SEARCH: readonly Chapter[] = [
  {
    title: 'Unknown parameters',
    statements: [
      should(
        'The server ignores unknown parameters by default.',
        'The directory refuses them by default, as the national service did: with a misspelt filter, a search would find too much. `acceptUnknown` and the self link say so.',
      ),
      should('With `Prefer: handling=strict` the server refuses unknown parameters.', [
        'directory/paging.http.test.ts',
        'Prefer: handling=strict makes an unknown parameter 400',
      ]),
      should('With `Prefer: handling=lenient` the server ignores unknown parameters.', [
        'directory/paging.http.test.ts',
        'Prefer: handling=lenient makes an unknown parameter 200',
      ]),
      must('An unsupported modifier is 400, even with `handling=lenient`.', [
        'directory/paging.http.test.ts',
        'ignores unknown parameters, reports this, and still refuses modifiers',
      ]),
      must(
        'The self link omits ignored parameters.',
        [
          'directory/paging.http.test.ts',
          'ignores unknown parameters, reports this, and still refuses modifiers',
        ],
        [
          'directory/search-form.http.test.ts',
          'ignores unknown parameters if the client prefers lenient handling',
        ],
      ),
    ],
  },
  {
    title: 'The Bundle of a search',
    statements: [
      must('The Bundle is a searchset, and each entry has a resource.', [
        'directory/search.http.test.ts',
        'name=Leeds finds RR8, RR801',
      ]),
      must('The `self` link is present and shows the parameters that were used.', [
        'directory/paging.http.test.ts',
        'links keep repeated parameters in their order, percent-encoded',
      ]),
      must('The `self` link of a search by form is the same search by `GET`.', [
        'directory/search-form.http.test.ts',
        'has the same links as the search by GET, and they work',
      ]),
      should('Links are percent-encoded, so that they repeat the same search.', [
        'directory/paging.http.test.ts',
        'links keep repeated parameters in their order, percent-encoded',
      ]),
      must('The links `first`, `previous`, `next` and `last` are present if such pages exist.', [
        'directory/paging.http.test.ts',
        'a page after the last one has no entry and leads back to the last',
      ]),
      must('Links are opaque and may carry state.', [
        'directory/paging.http.test.ts',
        'the links to a replaced edition still work',
      ]),
      must(
        'Links keep the search and its `_count`.',
        [
          'directory/paging.http.test.ts',
          'through next links returns every match once, in the order of codes',
        ],
        [
          'journeys/legacy-clients.long.test.ts',
          'a nightly load follows the pages of a search with a repeated parameter',
        ],
      ),
      must(
        'The `next` links lead to every match once, in a stable order.',
        [
          'directory/paging.http.test.ts',
          'through next links returns every match once, in the order of codes',
        ],
        ['directory/paging.http.test.ts', 'the links to a replaced edition still work'],
      ),
      should('A link that is no longer valid is 4xx with an outcome.', [
        'directory/paging.http.test.ts',
        'an edition that is not kept is 410',
      ]),
      must('`total` counts all matches.', [
        'directory/paging.http.test.ts',
        'through next links returns every match once, in the order of codes',
      ]),
      must('`fullUrl` is absolute, has no version, and agrees with the id.', [
        'directory/search.http.test.ts',
        'name=Leeds finds RR8, RR801',
      ]),
      must('`fullUrl` is unique and does not contain `_history`.', [
        'directory/search.http.test.ts',
        'without parameters finds A81001, A81002, RR8, RR801, RTG, X1',
      ]),
      should(
        '`search.mode` is `match`. Legacy JSON omits it, because its clients expect that.',
        ['directory/search.http.test.ts', 'name=Leeds finds RR8, RR801'],
        ['journeys/legacy-form.long.test.ts', 'every organisation, in a search and in a read'],
      ),
      must(
        '`entry.search` and `total` are only in a searchset. `entry.request` and `entry.response` are absent.',
        ['directory/search.http.test.ts', 'name=Leeds finds RR8, RR801'],
      ),
      must(
        'Without entries, `entry` is absent. Legacy JSON has an empty array, because its clients expect that.',
        ['directory/search.http.test.ts', 'name=teaching finds nothing'],
        [
          'journeys/legacy-form.long.test.ts',
          'a search without a match has total "0" and an empty entry',
        ],
      ),
      must(
        'Elements are in the order of the definition, in XML.',
        [
          'directory/searchset.test.ts',
          'equals the output of the codec, in xml with directory.json = fhir',
        ],
        [
          'directory/search.http.test.ts',
          'without parameters finds A81001, A81002, RR8, RR801, RTG, X1',
        ],
      ),
    ],
  },
  {
    title: 'Search parameters in general',
    statements: [
      must('Names of parameters are case-sensitive.', [
        'directory/search.http.test.ts',
        'Name=leeds is refused',
      ]),
      must('A repeated parameter means AND, a comma means OR, and both can be combined.', [
        'directory/search.http.test.ts',
        'ods-org-role=157&ods-org-role=29,15 finds A81002',
      ]),
      must(
        'Different parameters mean AND.',
        ['directory/search.http.test.ts', 'name=leeds&name:contains=dental finds RR801'],
        [
          'directory/index/search.test.ts',
          'random searches over random records have the same matches as a plain filter',
        ],
      ),
      must(
        '`\\,`, `\\|`, `\\$` and `\\\\` stand for the characters themselves.',
        ['directory/search.http.test.ts', 'address-city=leeds\\, finds nothing'],
        ['directory/search.http.test.ts', 'name=one\\,two finds nothing'],
      ),
      must('A single backslash is 400.', [
        'directory/search.http.test.ts',
        'name:exact=lone\\backslash is refused',
      ]),
      must('The server decodes percent-encoding before backslashes.', [
        'directory/search.http.test.ts',
        '_id=RTG%2CA81001 finds A81001, RTG',
      ]),
      should(
        'A value of the wrong form is 400. A valid value without matches finds nothing.',
        ['directory/search.http.test.ts', 'ods-org-role=GP is refused'],
        ['directory/search.http.test.ts', 'ods-org-role=4711 finds nothing'],
      ),
      must('The server refuses `:missing` if it does not support it.', [
        'directory/search.http.test.ts',
        'name:missing=true is refused',
      ]),
      must('`:missing` finds resources without a value.', 'Not supported.'),
      must(
        'Unknown modifiers, and modifiers of other types, are 400.',
        ['directory/search.http.test.ts', 'active:exact=true is refused'],
        ['directory/search.http.test.ts', 'name:missing=true is refused'],
      ),
      must('The server refuses a `_query` with an unknown name.', [
        'directory/search.http.test.ts',
        '_query=named is refused',
      ]),
    ],
  },
  {
    title: '`_id` and `_lastUpdated`',
    statements: [
      must(
        '`_id` matches exactly.',
        ['directory/search.http.test.ts', '_id=RR8 finds RR8'],
        ['directory/search.http.test.ts', '_id=rr8 finds nothing'],
      ),
      must(
        '`_id=a,b` means OR; a repeated `_id` means AND.',
        ['directory/search.http.test.ts', '_id=RTG,A81001 finds A81001, RTG'],
        ['directory/search.http.test.ts', '_id=RTG&_id=A81001 finds nothing'],
      ),
      must(
        '`_lastUpdated` is a date. The directory supports only the prefix `gt`.',
        ['directory/search.http.test.ts', '_lastUpdated=ge2017 is refused'],
        ['directory/search.http.test.ts', '_lastUpdated=2017 is refused'],
      ),
      must(
        'A date is complete from the left. A date that does not exist is 400.',
        ['directory/search.http.test.ts', '_lastUpdated=gt2017-02-30 is refused'],
        ['directory/search.http.test.ts', '_lastUpdated=gt2017-04-01T10 is refused'],
      ),
      must('Seconds are optional.', [
        'directory/search.http.test.ts',
        '_lastUpdated=gt2019-07-01T09:29 finds A81001, RR801, RTG, X1',
      ]),
      should('Without a time zone, the zone of the server applies: UTC.', [
        'directory/search.http.test.ts',
        '_lastUpdated=gt2019-07-01T09:29 finds A81001, RR801, RTG, X1',
      ]),
      must(
        '`gt` with a partial date means after the whole of it.',
        [
          'directory/search.http.test.ts',
          '_lastUpdated=gt2017-04-01 finds A81001, RR8, RR801, RTG, X1',
        ],
        ['directory/search.http.test.ts', '_lastUpdated=gt2017-04 finds A81001, RR801, RTG, X1'],
      ),
      must(
        'The server understands the `+` of a zone as `%2B`. It also accepts a raw `+`, which means a space.',
        [
          'directory/search.http.test.ts',
          '_lastUpdated=gt2019-07-01T10:29:59%2B01:00 finds A81001, RR801, RTG, X1',
        ],
        [
          'directory/search.http.test.ts',
          '_lastUpdated=gt2019-07-01T10:29:59+01:00 finds A81001, RR801, RTG, X1',
        ],
      ),
      should('Two dates mean AND.', [
        'directory/search.http.test.ts',
        '_lastUpdated=gt2019&_lastUpdated=gt2020 finds RTG',
      ]),
    ],
  },
  {
    title: 'Strings',
    statements: [
      must(
        'By default, the field equals the value or begins with it. Case and accents do not matter.',
        ['directory/search.http.test.ts', 'name=cafe finds A81002'],
        ['directory/search.http.test.ts', 'name=teaching finds nothing'],
      ),
      must('`:contains` matches anywhere in the field.', [
        'directory/search.http.test.ts',
        'name:contains=afe finds A81002',
      ]),
      must(
        '`:exact` matches the whole value, with case and accents.',
        ['directory/search.http.test.ts', 'address-city:exact=LEEDS finds RR8, RR801'],
        ['directory/search.http.test.ts', 'address-city:exact=Leeds finds nothing'],
      ),
      must(
        'Composed and decomposed letters are equal, and case is ignored beyond ASCII too.',
        [
          'fhir/search/fold.test.ts',
          'the folded beginning of a text is the beginning of the folded text',
        ],
        ['fhir/search/fold.test.ts', 'folding a folded text changes nothing, for every letter'],
      ),
      must('If an element repeats, any of its values may match.', 'A record has one address.'),
      must('`name` also searches `alias`.', 'The source has no aliases.'),
      must(
        'The server checks each alternative separately. `\\,` is a comma.',
        ['directory/search.http.test.ts', 'name=leeds, is refused'],
        ['directory/search.http.test.ts', 'name=one\\,two finds nothing'],
      ),
      must('Lengths count characters.', [
        'directory/search.http.test.ts',
        'address-city=%CC%81%CC%81 is refused',
      ]),
    ],
  },
  {
    title: 'Tokens',
    statements: [
      must(
        'The forms are `code`, `system|code`, `|code` and `system|`. The national service refuses the last two, and so does the directory.',
        ['directory/search.http.test.ts', 'identifier=rtg finds RTG'],
        ['directory/search.http.test.ts', 'identifier=|A1 is refused'],
      ),
      must(
        'A code without a system matches in any system.',
        ['directory/search.http.test.ts', 'identifier=rtg finds RTG'],
        ['directory/search.http.test.ts', 'ods-org-role=76 finds A81001'],
      ),
      must(
        '`|code` matches a value without a system. No value of the directory lacks a system, so the server refuses this form.',
        ['directory/search.http.test.ts', 'ods-org-role=|76 is refused'],
      ),
      should(
        'Each parameter defines whether case matters.',
        ['directory/search.http.test.ts', 'identifier=rtg finds RTG'],
        ['directory/search.http.test.ts', '_id=rr8 finds nothing'],
      ),
      must('If there are several codings, any of them may match.', [
        'directory/search.http.test.ts',
        'ods-org-role=157&ods-org-role=29,15 finds A81002',
      ]),
      must('Booleans are `true` and `false`.', [
        'directory/search.http.test.ts',
        'active=yes is refused',
      ]),
      must(
        '`active=false` does not find a resource without `active`.',
        'Every record has `active`.',
      ),
      must('`:not` finds resources without a value.', 'Not supported.'),
      must('A second pipe is 400.', [
        'directory/search.http.test.ts',
        'identifier=https://fhir.nhs.uk/Id/ods-organization-code|A|1 is refused',
      ]),
      must('`ods-org-primaryRole` alone is 400.', [
        'directory/search.http.test.ts',
        'ods-org-primaryRole=true is refused',
      ]),
      must(
        'The combination with several roles is defined.',
        [
          'directory/search.http.test.ts',
          'ods-org-primaryRole=true&ods-org-role=197,157 finds A81002, RR8, RTG',
        ],
        [
          'directory/index/search.test.ts',
          'random searches over random records have the same matches as a plain filter',
        ],
      ),
    ],
  },
  {
    title: 'Parameters of the answer',
    statements: [
      must(
        '`_count` is a whole number.',
        ['directory/search.http.test.ts', '_count=2.5 is refused'],
        ['directory/search.http.test.ts', '_count=-1 is refused'],
      ),
      must('No page has more than `_count` matches.', [
        'directory/search.http.test.ts',
        '_count=2 finds A81001, A81002',
      ]),
      must(
        'A `_count` above the maximum is reduced or refused. The directory refuses it.',
        ['directory/search.http.test.ts', '_count=21 is refused'],
        ['directory/paging.http.test.ts', 'a setting limits the size of a page'],
      ),
      must('`_count=0` equals `_summary=count`.', [
        'directory/search.http.test.ts',
        '_count=0 gives only the total and the self link',
      ]),
      must(
        '`_summary=count` returns the total and the self link. The server refuses other values.',
        ['directory/search.http.test.ts', '_summary=count gives only the total and the self link'],
        ['directory/search.http.test.ts', '_summary=false is refused'],
      ),
      must('`total` does not depend on `_count`.', [
        'directory/paging.http.test.ts',
        'through next links returns every match once, in the order of codes',
      ]),
      should(
        'The server supports `_sort`.',
        'Not supported. Matches are in the order of codes. The server refuses `_sort` as an unknown parameter.',
      ),
      should('Sorting ignores case.', 'Not supported.'),
      must(
        'The server refuses a second `_count`, `_page`, `_edition`, `_summary`, `_format` or `_pretty`.',
        ['directory/search.http.test.ts', '_count=1&_count=2 is refused'],
      ),
      must('Prefixes are two letters in lower case.', [
        'directory/search.http.test.ts',
        '_lastUpdated=ge2017 is refused',
      ]),
      must(
        'A number stands for a range that depends on its precision.',
        'No parameter searches a number.',
      ),
    ],
  },
];
