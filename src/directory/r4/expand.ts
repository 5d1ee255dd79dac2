/**
 * `$expand`: the codes of a value set.
 * https://hl7.org/fhir/R4/valueset-operation-expand.html
 */
import type { OperationInput, OperationParameter } from '../../fhir/operation-parameters.ts';
import { fold } from '../../fhir/search/fold.ts';
import { type CodeProperty, definitionElements } from '../code-systems.ts';
import type { Edition } from '../edition.ts';
import type { EditionOperation } from '../face.ts';
import type { R4CodeSystem } from './code-systems.ts';
import { DISPLAY_LANGUAGE, operationError, requireVersion } from './find-code-system.ts';
import { isWanted } from './found-code.ts';

export function expandOperation(systems: readonly R4CodeSystem[]): EditionOperation {
  const valueSets = systems.flatMap((system) => {
    const { valueSetUrl } = system;
    return valueSetUrl === undefined ? [] : [{ system, url: valueSetUrl }];
  });
  return {
    name: '$expand',
    definition: 'http://hl7.org/fhir/OperationDefinition/ValueSet-expand',
    documentation: 'The codes of a value set.',
    levels: ['type', 'instance'],
    parameters: PARAMETERS,
    returns: 'ValueSet',
    run: (input, edition, id) => {
      const { system, url } = valueSetOf(input, valueSets, { edition, id });
      return {
        ...definitionElements('ValueSet', url, system, edition),
        expansion: expansionOf(system, input, edition),
      };
    },
  };
}

const PARAMETERS: readonly OperationParameter[] = [
  {
    name: 'url',
    type: 'uri',
    documentation: 'The URL of the value set, or of the code system that it contains.',
  },
  { name: 'valueSetVersion', type: 'string', documentation: 'The version of the value set.' },
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
  ...['activeOnly', 'excludeNested', 'includeDefinition', 'includeDesignations'].map(
    (name): OperationParameter => ({
      name,
      type: 'boolean',
      documentation: 'No effect: codes have no status, hierarchy, definition or designation.',
    }),
  ),
];

interface ValueSet {
  readonly system: R4CodeSystem;
  readonly url: string;
}

interface Place {
  readonly edition: Edition;
  /** Empty if the client uses the operation for the type. */
  readonly id: string;
}

/** The value set of the path or of the URL, which can end with a version. Throws a FhirError. */
function valueSetOf(
  input: OperationInput,
  valueSets: readonly ValueSet[],
  { edition, id }: Place,
): ValueSet {
  const [givenUrl, versionOfUrl] = input.text('url')?.split('|', 2) ?? [];
  // The national service names the value set of a code system so.
  const url = givenUrl?.replace(/\/vs$/, '');
  const found = valueSets.find((each) =>
    id === '' ? each.url === url || each.system.url === url : each.system.id === id,
  );
  if (found === undefined) {
    if (url === undefined) {
      throw operationError('invalid-parameter', '$expand needs the URL of a value set. Send url.');
    }
    const known = valueSets.map((each) => each.url).join(', ');
    throw operationError('no-record', `This server has no value set "${url}". It has ${known}.`);
  }
  if (id !== '' && url !== undefined && url !== found.url && url !== found.system.url) {
    throw operationError('invalid-value', `The URL of ${id} is ${found.url}, not "${url}".`);
  }
  const version = input.text('valueSetVersion') ?? versionOfUrl;
  requireVersion('value set', found.url, version, edition);
  return found;
}

function expansionOf(system: R4CodeSystem, input: OperationInput, edition: Edition) {
  const filter = input.text('filter');
  const [offset, count] = [input.text('offset'), input.text('count')];
  const words = filter === undefined ? [] : wordsOf(filter);
  const matches = system.codes(edition).filter(({ code, display = '' }) => {
    const text = fold(`${code} ${display}`);
    return words.every((word) => text.includes(word));
  });
  const start = Number(offset ?? 0);
  const end = count === undefined ? matches.length : start + Number(count);
  const wanted = new Set(input.texts('property'));
  const contains = matches.slice(start, end).map(({ code, display, properties = [] }) => {
    const extension = properties
      .filter((each) => isWanted(wanted, each.code))
      .map(propertyExtension);
    return {
      ...(extension.length === 0 ? {} : { extension }),
      system: system.url,
      code,
      ...(display === undefined ? {} : { display }),
    };
  });
  const isPaged = offset !== undefined || count !== undefined;
  const parameter = [
    { name: 'version', valueUri: `${system.url}|${edition.number}` },
    ...(filter === undefined ? [] : [{ name: 'filter', valueString: filter }]),
    ...(offset === undefined ? [] : [{ name: 'offset', valueInteger: Number(offset) }]),
    ...(count === undefined ? [] : [{ name: 'count', valueInteger: Number(count) }]),
  ];
  return {
    timestamp: edition.publishedAt,
    total: matches.length,
    ...(isPaged ? { offset: start } : {}),
    parameter,
    ...(contains.length === 0 ? {} : { contains }),
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
  throw operationError(
    'invalid-value',
    `The parameter filter has more than ${FILTER_LENGTH_MAX} characters. Send fewer words.`,
  );
}

const FILTER_LENGTH_MAX = 100;
