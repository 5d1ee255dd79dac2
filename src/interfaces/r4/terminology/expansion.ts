/** The element `expansion` of a value set: https://hl7.org/fhir/R4/valueset.html#expansion */
import type { Edition } from '../../../directory/edition/edition.ts';
import type { OperationInput } from '../../../fhir/interactions/operation-input.ts';
import { uuidOf } from '../../answer/uuid.ts';
import type { CodeProperty } from '../../faces/code-system-types.ts';
import { EXPAND_PARAMETERS } from './expand-parameters.ts';

/** The codes of an expansion that a request asks for. */
export interface Expansion {
  readonly system: string;
  readonly total: number;
  /** The number of codes before the page. Absent if all codes are on it. */
  readonly offset?: number;
  readonly codes: readonly ExpandedCode[];
}

export interface ExpandedCode {
  readonly code: string;
  readonly display: string | undefined;
  readonly isInactive: boolean;
  readonly properties: readonly CodeProperty[];
}

export function expansionElement(
  { system, total, offset, codes }: Expansion,
  input: OperationInput,
  edition: Edition,
): object {
  const contains = codes.map(({ code, display, isInactive, properties }) => ({
    ...(properties.length > 0 && { extension: properties.map(propertyExtension) }),
    system,
    ...(isInactive && { inactive: true }),
    code,
    ...(display !== undefined && { display }),
  }));
  const versioned = `${system}|${edition.number}`;
  return {
    identifier: `urn:uuid:${identityOf(system, total, input, edition)}`,
    timestamp: edition.publishedAt,
    total,
    ...(offset !== undefined && { offset }),
    parameter: [
      { name: 'version', valueUri: versioned },
      { name: 'used-codesystem', valueUri: versioned },
      ...givenParameters(input),
    ],
    ...(contains.length > 0 && { contains }),
  };
}

/** The same request of the same edition, postcodes and practitioners gets the same expansion. */
function identityOf(
  system: string,
  total: number,
  input: OperationInput,
  { number, publishedAt, postcodes, practitioners }: Edition,
): string {
  const given = EXPAND_PARAMETERS.map(({ name }) => [name, input.texts(name)]);
  const valueSet = input.object('valueSet') ?? '';
  const tables = [postcodes?.version ?? '', practitioners?.version ?? ''];
  return uuidOf(JSON.stringify({ number, publishedAt, tables, system, total, given, valueSet }));
}

/** The parameters of the request that choose the codes. FHIR has no empty values. */
function givenParameters(input: OperationInput): readonly object[] {
  return Object.entries(ECHOED).flatMap(([name, toElement]) => {
    const text = input.text(name) ?? '';
    return text === '' ? [] : [{ name, ...toElement(text) }];
  });
}

const ECHOED: Readonly<Record<string, (text: string) => object>> = {
  activeOnly: (text) => ({ valueBoolean: text === 'true' }),
  filter: (text) => ({ valueString: text }),
  offset: (text) => ({ valueInteger: Number(text) }),
  count: (text) => ({ valueInteger: Number(text) }),
};

/** As later versions of FHIR have it: https://hl7.org/fhir/R5/versions.html#extensions */
function propertyExtension({ code, value }: CodeProperty): object {
  return {
    url: 'http://hl7.org/fhir/5.0/StructureDefinition/extension-ValueSet.expansion.contains.property',
    extension: [
      { url: 'code', valueCode: code },
      { url: 'value', ...value },
    ],
  };
}
