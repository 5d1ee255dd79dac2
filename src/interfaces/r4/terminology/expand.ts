/**
 * `$expand`: the codes of a value set.
 * https://hl7.org/fhir/R4/valueset-operation-expand.html
 */

import type { Edition } from '../../../directory/edition/edition.ts';
import type { FhirObject } from '../../../fhir/format/resource.ts';
import type { OperationInput } from '../../../fhir/interactions/operation-input.ts';
import { FhirError } from '../../../fhir/request/fhir-error.ts';
import type { Pause } from '../../../threads/pauses.ts';
import type { ResourceObject } from '../../answer/resource-parts.ts';
import type { DirectorySettings } from '../../answer/settings.ts';
import { definitionElements } from '../../faces/code-system-types.ts';
import type { EditionOperation, LongOperation } from '../../faces/face.ts';
import { refuse } from '../../json/json-parameters.ts';
import { namedProperties } from './code-systems.ts';
import { EXPAND_PARAMETERS } from './expand-parameters.ts';
import { type ExpandedCode, type Expansion, expansionElement } from './expansion.ts';
import { type Composition, compositionOf } from './inline-value-set.ts';
import type {
  CodesPage,
  FoundCode,
  R4CodeSystem,
  WantedProperties,
} from './systems/code-system.ts';
import { valueSetAt } from './value-sets.ts';

export function expandOperation(
  systems: readonly R4CodeSystem[],
  settings: Pick<DirectorySettings, 'r4.countMax'>,
): EditionOperation & LongOperation {
  const countMax = settings['r4.countMax'];
  return {
    name: '$expand',
    definition: 'http://hl7.org/fhir/OperationDefinition/ValueSet-expand',
    documentation: 'The codes of a value set.',
    levels: ['type', 'instance'],
    parameters: EXPAND_PARAMETERS,
    // The example of the national service has none.
    optionalElements: ['/f:ValueSet/f:status'],
    returns: 'ValueSet',
    longKind: 'expansions',
    runLong: async (input, edition, id, pause) => {
      const inline = input.object('valueSet');
      if (inline !== undefined) refuseOthers(input, id);
      const composition =
        inline === undefined
          ? wholeSystem(valueSetAt({ systems, edition, id }, input, '$expand'))
          : compositionOf(inline, systems, edition);
      const expansion = await expand(composition, input, { edition, countMax, pause });
      return {
        ...headOf(inline, composition, edition),
        expansion: expansionElement(expansion, input, edition),
      };
    },
  };
}

/** The elements of the value set, as it was sent or as the server has it. */
function headOf(
  inline: FhirObject | undefined,
  { system }: Composition,
  edition: Edition,
): ResourceObject {
  if (inline === undefined) {
    return definitionElements('ValueSet', system.valueSetUrl, system, edition);
  }
  return {
    resourceType: 'ValueSet',
    status: 'active',
    ...(inline.compose !== undefined && { compose: inline.compose }),
  };
}

function wholeSystem(system: R4CodeSystem): Composition {
  return { system, filters: [], isActiveOnly: false };
}

/** Throws a FhirError if the request names another value set beside the inline one. */
function refuseOthers(input: OperationInput, id: string): void {
  const others = ['url', 'valueSetVersion'].filter((name) => input.text(name) !== undefined);
  if (others.length === 0 && id === '') return;
  throw refuse('Send valueSet alone: without an id, url or valueSetVersion.');
}

interface Expanding {
  readonly edition: Edition;
  readonly countMax: number;
  readonly pause: Pause;
}

/** The server answers other requests in between: 1,000 codes with 10 properties take 50 ms. */
async function expand(
  composition: Composition,
  input: OperationInput,
  { edition, countMax, pause }: Expanding,
): Promise<Expansion> {
  const { system } = composition;
  const text = input.text('filter') ?? '';
  refuseLong(text);
  const wanted = namedProperties(input, system, edition);
  const [offset, count] = [input.text('offset'), input.text('count')];
  const isWhole = system.isListed && offset === undefined && count === undefined;
  const most = system.isListed ? Number.POSITIVE_INFINITY : countMax;
  const range = {
    offset: Number(offset ?? 0),
    count: Math.min(count === undefined ? most : Number(count), most),
  };
  const isActiveOnly = composition.isActiveOnly || input.text('activeOnly') === 'true';
  const { filters } = composition;
  const page =
    composition.codes === undefined
      ? await system.page({ ...range, text, isActiveOnly, filters, pause }, edition)
      : await listedPage(composition, { ...range, text, isActiveOnly, pause }, edition);
  const codes = await withProperties(page, { wanted, pause }, (found) =>
    refuseManyValues(found, wanted, system, edition),
  );
  return {
    system: system.url,
    total: page.total,
    ...(!isWhole && { offset: range.offset }),
    codes,
  };
}

interface ListedRange {
  readonly offset: number;
  readonly count: number;
  readonly text: string;
  readonly isActiveOnly: boolean;
  readonly pause: Pause;
}

/**
 * The codes that a value set lists, in its order. Codes that do not exist are left out. Other
 * requests are answered meanwhile.
 */
async function listedPage(
  { system, codes = [] }: Composition,
  { offset, count, text, isActiveOnly, pause }: ListedRange,
  edition: Edition,
): Promise<CodesPage> {
  if (text !== '') throw refuse('Send no filter with a valueSet that has a list of concepts.');
  if (codes.length > CODES_MAX) {
    throw FhirError.of(
      'too-costly',
      `The valueSet lists ${codes.length} concepts. Send at most ${CODES_MAX}.`,
    );
  }
  const found: FoundCode[] = [];
  for (const code of codes) {
    const one = system.find(code, edition);
    if (one !== undefined && !(isActiveOnly && one.isInactive)) found.push(one);
    await pause();
  }
  return { total: found.length, codes: found.slice(offset, offset + count) };
}

const CODES_MAX = 1000;

/** `check` gets the number of codes so far. */
async function withProperties(
  { codes }: CodesPage,
  { wanted, pause }: { readonly wanted: WantedProperties; readonly pause: Pause },
  check: (found: number) => void,
): Promise<readonly ExpandedCode[]> {
  const expanded: ExpandedCode[] = [];
  for (const found of codes) {
    expanded.push(expandedCode(found, wanted));
    check(expanded.length);
    await pause();
  }
  return expanded;
}

function expandedCode(
  { code, display, isInactive, properties }: FoundCode,
  wanted: WantedProperties,
): ExpandedCode {
  return { code, display, isInactive, properties: wanted.size === 0 ? [] : properties(wanted) };
}

/** Throws a FhirError if the answer would be large. */
function refuseManyValues(
  codes: number,
  wanted: WantedProperties,
  system: R4CodeSystem,
  edition: Edition,
): void {
  const properties = wanted.has('*') ? system.propertiesOf(edition).length : wanted.size;
  if (codes * properties <= VALUES_MAX) return;
  throw FhirError.of(
    'too-costly',
    `The expansion would have more than ${VALUES_MAX} values: ${properties} properties of each ` +
      `code. Send a count of at most ${Math.floor(VALUES_MAX / properties)}, and offset for the ` +
      'next codes.',
  );
}

const VALUES_MAX = 10_000;

/** Each word is compared with each code, so that a long filter would take long. */
function refuseLong(filter: string): void {
  if (filter.length <= FILTER_LENGTH_MAX) return;
  throw FhirError.of(
    'invalid-value',
    `The parameter filter has more than ${FILTER_LENGTH_MAX} characters. Send fewer words.`,
  );
}

const FILTER_LENGTH_MAX = 100;
