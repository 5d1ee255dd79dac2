/** Parses the query of a request to ORD: each parameter once, and no unknown ones. */
import { type Pair, parseQueryString } from '../../fhir/http/query-string.ts';
import { invalidParameter } from './error.ts';

/** A parameter of a path of ORD. `Values` is what the parameters of the path set together. */
export interface OrdParameter<Values> {
  readonly name: string;
  readonly documentation: string;
  /** Whether it selects organisations. A search must have one such parameter. */
  readonly isCriterion: boolean;
  /** Its JSON schema in the OpenAPI description; by default a text. */
  readonly schema?: object;
  /** Throws a FhirError if the text is not valid. */
  parse(text: string): Values;
}

export interface OrdQuery<Values> {
  /** The values of the parameters, in the order of the request. */
  readonly values: readonly Values[];
  /** The pairs of the parameters that select organisations, in the order of the request. */
  readonly criteria: readonly Pair[];
}

/** Throws a FhirError with the first problem. */
export function parseOrdQuery<Values>(
  query: string,
  parameters: readonly OrdParameter<Values>[],
): OrdQuery<Values> {
  const values: Values[] = [];
  const criteria: Pair[] = [];
  const met = new Set<string>();
  for (const pair of parseQueryString(query)) {
    const { name, value, isMalformed } = pair;
    const parameter = parameters.find((known) => known.name === name);
    if (parameter === undefined) throw invalidParameter('Unknown argument found.');
    if (met.has(name)) throw invalidParameter(`Repeated ${name} argument.`);
    if (isMalformed) throw invalidParameter(`${name} is not percent-encoded UTF-8.`);
    met.add(name);
    values.push(parameter.parse(value));
    if (parameter.isCriterion) criteria.push(pair);
  }
  return { values, criteria };
}

/** Content negotiation reads its value. */
export const FORMAT_PARAMETER = {
  name: '_format',
  documentation: 'json or xml, or a media type of either. It overrides Accept.',
  isCriterion: false,
  parse: () => ({}),
} as const;
