/**
 * `$expand`: the codes of a value set.
 * https://hl7.org/fhir/R4/valueset-operation-expand.html
 */

import type { Edition } from '../../../directory/edition/edition.ts';
import { tokenCriterion } from '../../../directory/index/organization-index.ts';
import type { FhirObject } from '../../../fhir/format/resource.ts';
import type { OperationInput, OperationParameter } from '../../../fhir/interactions/operation.ts';
import { FhirError } from '../../../fhir/request/fhir-error.ts';
import { fold } from '../../../fhir/search/string.ts';
import { createPauses } from '../../../threads/pauses.ts';
import type { ResourceObject } from '../../answer/resource-parts.ts';
import type { DirectorySettings } from '../../answer/settings.ts';
import { type CodeProperty, definitionElements } from '../../faces/code-system-types.ts';
import type { EditionOperation } from '../../faces/face.ts';
import { searchSections } from '../../faces/search-sections.ts';
import { refuse } from '../../json/json-parameters.ts';
import { codeSystemOf, namedProperties, type R4CodeSystem } from './code-systems.ts';
import { DISPLAY_LANGUAGE } from './given-code.ts';
import { criteriaOf } from './inline-value-set.ts';
import {
  findOrganizationCode,
  isWanted,
  ORGANIZATION_PROPERTIES,
  type WantedProperties,
} from './organization-properties.ts';
import { VALUE_SET_URL, VALUE_SET_VERSION, valueSetAt } from './value-sets.ts';

export function expandOperation(
  systems: readonly R4CodeSystem[],
  settings: DirectorySettings,
): EditionOperation {
  return {
    name: '$expand',
    definition: 'http://hl7.org/fhir/OperationDefinition/ValueSet-expand',
    documentation: 'The codes of a value set.',
    levels: ['type', 'instance'],
    parameters: PARAMETERS,
    returns: 'ValueSet',
    run: (input, edition, id) => {
      const inline = input.object('valueSet');
      if (inline === undefined) {
        const { system, url } = valueSetAt({ systems, edition, id }, input, '$expand');
        return {
          ...definitionElements('ValueSet', url, system, edition),
          expansion: expansionOf(codesPage(system, input, edition), input, edition),
        };
      }
      refuseOthers(input, id);
      const url = settings.organizationCodeSystem;
      return expandInline(inline, input, edition, {
        system: codeSystemOf(systems, url, undefined, edition),
        countMax: settings['r4.countMax'],
      });
    },
  };
}

const PARAMETERS: readonly OperationParameter[] = [
  VALUE_SET_URL,
  {
    name: 'valueSet',
    type: 'ValueSet',
    documentation: 'In place of url: organisations, filtered by lastChangeDate.',
  },
  VALUE_SET_VERSION,
  {
    name: 'filter',
    type: 'string',
    documentation:
      'Words that the code or the display contains, in any case; at most 100 characters.',
  },
  { name: 'offset', type: 'integer', documentation: 'The number of codes to skip.' },
  { name: 'count', type: 'integer', documentation: 'The most codes to return; 0: only the total.' },
  {
    name: 'property',
    type: 'code',
    isRepeatable: true,
    documentation: 'A property to return with each code, such as primaryRole.',
  },
  DISPLAY_LANGUAGE,
  {
    name: 'activeOnly',
    type: 'boolean',
    documentation: 'true: only active organisations. No effect on other codes.',
  },
  ...[
    'excludeNested',
    'excludeNotForUI',
    'excludePostCoordinated',
    'includeDefinition',
    'includeDesignations',
  ].map(
    (name): OperationParameter => ({
      name,
      type: 'boolean',
      documentation:
        'No effect: codes have no hierarchy, definition or designation, and are all for display.',
    }),
  ),
  {
    name: 'designation',
    type: 'string',
    isRepeatable: true,
    documentation: 'No effect: codes have no designation.',
  },
  {
    name: 'system-version',
    type: 'uri',
    isRepeatable: true,
    documentation: 'No effect: a code system has one version, that of the edition.',
  },
];

/** Throws a FhirError if the request names another value set beside the inline one. */
function refuseOthers(input: OperationInput, id: string): void {
  const others = ['url', 'valueSetVersion', 'filter'].filter(
    (name) => input.text(name) !== undefined,
  );
  if (others.length === 0 && id === '') return;
  throw refuse('Send valueSet alone: without an id, url, valueSetVersion or filter.');
}

/** The codes of an expansion that a request asks for. */
interface CodesPage {
  readonly system: string;
  readonly total: number;
  /** The number of codes before the page; undefined if all codes are on it. */
  readonly offset: number | undefined;
  readonly codes: readonly {
    readonly code: string;
    readonly display?: string | undefined;
    readonly properties: readonly CodeProperty[];
  }[];
}

function codesPage(system: R4CodeSystem, input: OperationInput, edition: Edition): CodesPage {
  const filter = input.text('filter');
  const [offset, count] = [input.text('offset'), input.text('count')];
  const words = filter === undefined ? [] : wordsOf(filter);
  const matches = system.codes(edition).filter(({ code, display = '' }) => {
    const text = fold(`${code} ${display}`);
    return words.every((word) => text.includes(word));
  });
  const start = Number(offset ?? 0);
  const end = count === undefined ? matches.length : start + Number(count);
  const wanted = namedProperties(input, system, edition);
  return {
    system: system.url,
    total: matches.length,
    offset: offset === undefined && count === undefined ? undefined : start,
    codes: matches.slice(start, end).map(({ properties = [], ...concept }) => ({
      ...concept,
      properties: properties.filter(({ code }) => isWanted(wanted, code)),
    })),
  };
}

/** The code system of organisations, and the most codes of one expansion. */
interface OrganizationCodes {
  readonly system: R4CodeSystem;
  readonly countMax: number;
}

async function expandInline(
  valueSet: FhirObject,
  input: OperationInput,
  edition: Edition,
  organizations: OrganizationCodes,
): Promise<ResourceObject> {
  const page = await organizationsPage(valueSet, input, edition, organizations);
  return {
    resourceType: 'ValueSet',
    status: 'active',
    ...(valueSet.compose !== undefined && { compose: valueSet.compose }),
    expansion: expansionOf(page, input, edition),
  };
}

/** The server answers other requests in between: 1,000 codes with 10 properties take 50 ms. */
async function organizationsPage(
  valueSet: FhirObject,
  input: OperationInput,
  edition: Edition,
  { system, countMax }: OrganizationCodes,
): Promise<CodesPage> {
  const criteria = criteriaOf(valueSet, system.url, edition);
  if (input.text('activeOnly') === 'true') {
    criteria.push(tokenCriterion('active', ['true']));
  }
  const offset = Number(input.text('offset') ?? 0);
  const count = Math.min(Number(input.text('count') ?? countMax), countMax);
  const query = { criteria };
  const { total, rows } = searchSections(
    edition,
    { full: query, references: query },
    offset,
    count,
  );
  const wanted = namedProperties(input, system, edition);
  refuseManyValues(rows.length, wanted);
  const codes: CodesPage['codes'][number][] = [];
  const pause = createPauses();
  for (const row of rows) {
    const found = findOrganizationCode(edition.links.codeOf(row), edition);
    if (found !== undefined) codes.push({ ...found, properties: found.properties(wanted) });
    await pause();
  }
  return { system: system.url, total, offset, codes };
}

/** Throws a FhirError if the answer would be large. */
function refuseManyValues(codes: number, wanted: WantedProperties): void {
  const properties = wanted.has('*') ? ORGANIZATION_PROPERTIES.length : wanted.size;
  if (codes * properties <= VALUES_MAX) return;
  throw FhirError.of(
    'too-costly',
    `The expansion would have ${codes} codes with ${properties} properties each. ` +
      `Send a count of at most ${Math.floor(VALUES_MAX / properties)}, and offset for the next codes.`,
  );
}

const VALUES_MAX = 10_000;

function expansionOf(
  { system, total, offset, codes }: CodesPage,
  input: OperationInput,
  edition: Edition,
) {
  const contains = codes.map(({ code, display, properties }) => ({
    ...(properties.length > 0 && { extension: properties.map(propertyExtension) }),
    system,
    code,
    ...(display !== undefined && { display }),
  }));
  const numbers = ['offset', 'count'].flatMap((name) => {
    const text = input.text(name);
    return text === undefined ? [] : [{ name, valueInteger: Number(text) }];
  });
  const filter = input.text('filter');
  return {
    timestamp: edition.publishedAt,
    total,
    ...(offset !== undefined && { offset }),
    parameter: [
      { name: 'version', valueUri: `${system}|${edition.number}` },
      // FHIR has no empty values.
      ...(filter ? [{ name: 'filter', valueString: filter }] : []),
      ...numbers,
    ],
    ...(contains.length > 0 && { contains }),
  };
}

/** As later versions of FHIR have it: https://hl7.org/fhir/R5/versions.html#extensions */
function propertyExtension({ code, value }: CodeProperty) {
  return {
    url: 'http://hl7.org/fhir/5.0/StructureDefinition/extension-ValueSet.expansion.contains.property',
    extension: [
      { url: 'code', valueCode: code },
      { url: 'value', ...value },
    ],
  };
}

/** Each word is compared with each code, so that a long filter would take long. */
function wordsOf(filter: string): readonly string[] {
  if (filter.length <= FILTER_LENGTH_MAX) return fold(filter).trim().split(' ');
  throw FhirError.of(
    'invalid-value',
    `The parameter filter has more than ${FILTER_LENGTH_MAX} characters. Send fewer words.`,
  );
}

const FILTER_LENGTH_MAX = 100;
