/** What FHIR requires of searches of the directory, with the tests that show it. */
import { type Chapter, choice, must, should } from './statement.ts';

export const DIRECTORY_SEARCH: readonly Chapter[] = [
  {
    title: 'Unknown parameters',
    statements: [
      choice(
        'FHIR advises to ignore unknown parameters. The directory refuses them, as the national services do: with a misspelt filter, a search would find too much. With `Prefer: handling=lenient`, it ignores them.',
        should(
          'The server ignores unknown parameters by default.',
          'The directory refuses them by default, as the national service did: with a misspelt filter, a search would find too much. `acceptUnknown` and the self link say so.',
        ),
      ),
      should(
        'With `Prefer: handling=strict` the server refuses unknown parameters, and with `handling=lenient` it ignores them.',
        ['directory/paging.http.test.ts', 'Prefer: handling=strict makes an unknown parameter 400'],
        [
          'directory/paging.http.test.ts',
          'Prefer: handling=lenient makes an unknown parameter 200',
        ],
      ),
      choice(
        'An unsupported modifier is 400, even with `handling=lenient`.',
        must(
          'An unsupported modifier is 400, even with `handling=lenient`. The self link omits ignored parameters.',
          [
            'directory/paging.http.test.ts',
            'ignores unknown parameters, reports this, and still refuses modifiers',
          ],
          [
            'directory/search-form.http.test.ts',
            'ignores unknown parameters if the client prefers lenient handling',
          ],
        ),
      ),
    ],
  },
  {
    title: 'The Bundle of a search',
    statements: [
      must(
        'The Bundle is a searchset with the total of all matches, and each entry has a resource. `entry.request` and `entry.response` are absent.',
        ['directory/search.http.test.ts', 'name=Leeds finds RR8, RR801'],
        [
          'directory/paging.http.test.ts',
          'through next links returns every match once, in the order of codes',
        ],
      ),
      must(
        'The `self` link shows the parameters that were used. For a search by form, it is the same search by `GET`.',
        [
          'directory/paging.http.test.ts',
          'links keep repeated parameters in their order, percent-encoded',
        ],
        [
          'directory/search-form.http.test.ts',
          'has the same links as the search by GET, and they work',
        ],
      ),
      should(
        'Links are percent-encoded. A link that is no longer valid is 4xx with an outcome.',
        [
          'directory/paging.http.test.ts',
          'links keep repeated parameters in their order, percent-encoded',
        ],
        ['directory/paging.http.test.ts', 'an edition that is not kept is 410'],
      ),
      must(
        'The links `first`, `previous`, `next` and `last` are present if such pages exist, keep the search and its `_count`, and lead to every match once, in a stable order. They are opaque.',
        [
          'directory/paging.http.test.ts',
          'a page after the last one has no entry and leads back to the last',
        ],
        ['directory/paging.http.test.ts', 'the links to a replaced edition still work'],
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
        '`fullUrl` is absolute and unique, has no version, and agrees with the id.',
        ['directory/search.http.test.ts', 'name=Leeds finds RR8, RR801'],
        [
          'directory/search.http.test.ts',
          'without parameters finds A81001, A81002, RR8, RR801, RTG, X1',
        ],
      ),
      choice(
        '[Legacy JSON](directory-api.md#legacy-json) omits `search.mode`, and has an empty `entry` without matches, because its clients expect that.',
        should(
          '`search.mode` is `match`. Legacy JSON omits it, because its clients expect that.',
          ['directory/search.http.test.ts', 'name=Leeds finds RR8, RR801'],
          ['journeys/legacy-form.long.test.ts', 'every organisation, in a search and in a read'],
        ),
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
      must(
        'Different and repeated parameters mean AND, a comma means OR, and both can be combined.',
        ['directory/search.http.test.ts', 'ods-org-role=157&ods-org-role=29,15 finds A81002'],
        ['directory/search.http.test.ts', 'name=leeds&name:contains=dental finds RR801'],
        [
          'directory/index/search.test.ts',
          'random searches over random records have the same matches as a plain filter',
        ],
      ),
      choice(
        'A single backslash in a value is 400.',
        must(
          '`\\,`, `\\|`, `\\$` and `\\\\` stand for the characters themselves, after percent-encoding is decoded. A single backslash is 400.',
          ['directory/search.http.test.ts', 'address-city=leeds\\, finds nothing'],
          ['directory/search.http.test.ts', 'name=one\\,two finds nothing'],
          ['directory/search.http.test.ts', 'name:exact=lone\\backslash is refused'],
          ['directory/search.http.test.ts', '_id=RTG%2CA81001 finds A81001, RTG'],
        ),
      ),
      should(
        'A value of the wrong form is 400. A valid value without matches finds nothing.',
        ['directory/search.http.test.ts', 'ods-org-role=GP is refused'],
        ['directory/search.http.test.ts', 'ods-org-role=4711 finds nothing'],
      ),
      choice(
        'STU3 does not support `:missing`, `:not` and `_query`.',
        must(
          'Unknown modifiers, modifiers of other types, `:missing`, and a `_query` with an unknown name are refused.',
          ['directory/search.http.test.ts', 'name:missing=true is refused'],
          ['directory/search.http.test.ts', 'active:exact=true is refused'],
          ['directory/search.http.test.ts', '_query=named is refused'],
        ),
      ),
    ],
  },
  {
    title: '`_id` and `_lastUpdated`',
    statements: [
      must(
        '`_id` matches exactly. `_id=a,b` means OR; a repeated `_id` means AND.',
        ['directory/search.http.test.ts', '_id=RR8 finds RR8'],
        ['directory/search.http.test.ts', '_id=rr8 finds nothing'],
        ['directory/search.http.test.ts', '_id=RTG,A81001 finds A81001, RTG'],
        ['directory/search.http.test.ts', '_id=RTG&_id=A81001 finds nothing'],
      ),
      choice(
        'In STU3, `_lastUpdated` has only the prefix `gt`. It means after the whole of a partial date.',
        must(
          '`_lastUpdated` is a date. The directory supports only the prefix `gt`, which means after the whole of a partial date.',
          ['directory/search.http.test.ts', '_lastUpdated=ge2017 is refused'],
          ['directory/search.http.test.ts', '_lastUpdated=2017 is refused'],
          [
            'directory/search.http.test.ts',
            '_lastUpdated=gt2017-04-01 finds A81001, RR8, RR801, RTG, X1',
          ],
          ['directory/search.http.test.ts', '_lastUpdated=gt2017-04 finds A81001, RR801, RTG, X1'],
        ),
      ),
      must(
        'A date is complete from the left; seconds are optional. A date that does not exist is 400.',
        ['directory/search.http.test.ts', '_lastUpdated=gt2017-02-30 is refused'],
        ['directory/search.http.test.ts', '_lastUpdated=gt2017-04-01T10 is refused'],
        [
          'directory/search.http.test.ts',
          '_lastUpdated=gt2019-07-01T09:29 finds A81001, RR801, RTG, X1',
        ],
      ),
      choice(
        'The time zone of the server is UTC, for dates without a zone.',
        should(
          'Without a time zone, the zone of the server applies: UTC. Two dates mean AND.',
          [
            'directory/search.http.test.ts',
            '_lastUpdated=gt2019-07-01T09:29 finds A81001, RR801, RTG, X1',
          ],
          ['directory/search.http.test.ts', '_lastUpdated=gt2019&_lastUpdated=gt2020 finds RTG'],
        ),
      ),
      choice(
        'In a search, a `+` that is not percent-encoded means a space. The server accepts it in the zone of a date.',
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
      ),
    ],
  },
  {
    title: 'Strings',
    statements: [
      must(
        'By default, the field equals the value or begins with it. Case and accents do not matter, beyond ASCII too. Composed and decomposed letters are equal.',
        ['directory/search.http.test.ts', 'name=cafe finds A81002'],
        ['directory/search.http.test.ts', 'name=teaching finds nothing'],
        [
          'fhir/search/fold.test.ts',
          'the folded beginning of a text is the beginning of the folded text',
        ],
        ['fhir/search/fold.test.ts', 'folding a folded text changes nothing, for every letter'],
      ),
      must(
        '`:contains` matches anywhere in the field, and `:exact` the whole value, with case and accents.',
        ['directory/search.http.test.ts', 'name:contains=afe finds A81002'],
        ['directory/search.http.test.ts', 'address-city:exact=LEEDS finds RR8, RR801'],
        ['directory/search.http.test.ts', 'address-city:exact=Leeds finds nothing'],
      ),
      choice(
        'A record has one address and no alias, because the source has no others.',
        must('If an element repeats, any of its values may match.', 'A record has one address.'),
      ),
      must('`name` also searches `alias`.', 'The source has no aliases.'),
      must(
        'The server checks each alternative separately. `\\,` is a comma. Lengths count characters.',
        ['directory/search.http.test.ts', 'name=leeds, is refused'],
        ['directory/search.http.test.ts', 'name=one\\,two finds nothing'],
        ['directory/search.http.test.ts', 'address-city=%CC%81%CC%81 is refused'],
      ),
    ],
  },
  {
    title: 'Tokens',
    statements: [
      choice(
        'STU3 refuses tokens of the forms `|code` and `system|`, as the national service did.',
        must(
          'The forms are `code`, `system|code`, `|code` and `system|`. The national service refuses the last two, and so does the directory. A second pipe is 400.',
          ['directory/search.http.test.ts', 'identifier=rtg finds RTG'],
          ['directory/search.http.test.ts', 'identifier=|A1 is refused'],
          [
            'directory/search.http.test.ts',
            'identifier=https://fhir.nhs.uk/Id/ods-organization-code|A|1 is refused',
          ],
        ),
      ),
      must(
        'A code without a system matches in any system. If there are several codings, any of them may match.',
        ['directory/search.http.test.ts', 'identifier=rtg finds RTG'],
        ['directory/search.http.test.ts', 'ods-org-role=76 finds A81001'],
        ['directory/search.http.test.ts', 'ods-org-role=157&ods-org-role=29,15 finds A81002'],
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
      must('Booleans are `true` and `false`.', [
        'directory/search.http.test.ts',
        'active=yes is refused',
      ]),
      must(
        '`active=false` does not find a resource without `active`.',
        'Every record has `active`.',
      ),
      must('`:not` finds resources without a value.', 'Not supported.'),
      choice(
        '`ods-org-primaryRole` changes the meaning of `ods-org-role`, and is 400 alone.',
        must(
          '`ods-org-primaryRole` alone is 400. Its combination with several roles is defined.',
          ['directory/search.http.test.ts', 'ods-org-primaryRole=true is refused'],
          [
            'directory/search.http.test.ts',
            'ods-org-primaryRole=true&ods-org-role=197,157 finds A81002, RR8, RTG',
          ],
          [
            'directory/index/search.test.ts',
            'random searches over random records have the same matches as a plain filter',
          ],
        ),
      ),
    ],
  },
  {
    title: 'Parameters of the answer',
    statements: [
      choice(
        'STU3 refuses a `_count` above the maximum. R4 and the order responses lower it.',
        must(
          '`_count` is a whole number, and no page has more matches. The directory refuses a `_count` above the maximum.',
          ['directory/search.http.test.ts', '_count=2.5 is refused'],
          ['directory/search.http.test.ts', '_count=-1 is refused'],
          ['directory/search.http.test.ts', '_count=2 finds A81001, A81002'],
          ['directory/search.http.test.ts', '_count=21 is refused'],
          ['directory/paging.http.test.ts', 'a setting limits the size of a page'],
        ),
      ),
      choice(
        'STU3 refuses values of `_summary` other than `count` and `false`.',
        must(
          '`_count=0` equals `_summary=count`: the self link and the total, which does not depend on `_count`. The server refuses other values of `_summary`.',
          ['directory/search.http.test.ts', '_count=0 gives only the total and the self link'],
          [
            'directory/search.http.test.ts',
            '_summary=count gives only the total and the self link',
          ],
          ['directory/search.http.test.ts', '_summary=false finds the same as without it'],
          ['directory/search.http.test.ts', '_summary=true is refused'],
          [
            'directory/paging.http.test.ts',
            'through next links returns every match once, in the order of codes',
          ],
        ),
      ),
      choice(
        'STU3 has no `_sort`: matches are in the order of codes.',
        should(
          'The server supports `_sort`.',
          'Not supported. Matches are in the order of codes. The server refuses `_sort` as an unknown parameter.',
        ),
      ),
      must(
        'The server refuses a second `_count`, `_page`, `_edition`, `_summary`, `_format` or `_pretty`.',
        ['directory/search.http.test.ts', '_count=1&_count=2 is refused'],
      ),
      must('Prefixes are two letters in lower case.', [
        'directory/search.http.test.ts',
        '_lastUpdated=ge2017 is refused',
      ]),
    ],
  },
];
