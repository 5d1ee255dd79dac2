/**
 * The definition of a search parameter: its declaration, and the parser of its values.
 * `C` is the criterion that the parameter makes. `Context` has further values that the
 * parser needs, such as settings.
 */

import type { FhirVersion } from '../definitions/fhir-version.ts';
import type { Form } from '../http/negotiate.ts';
import type { Issue } from '../request/fhir-error.ts';
import type { Alternative, Parsed } from './parsed.ts';

/** A parameter that limits the matches. */
export interface CriterionParameter<C, Context = unknown> extends SearchParameter {
  readonly kind: 'criterion';
  /** The modifier is empty if the request has none. */
  readonly parse: (
    alternatives: readonly Alternative[],
    modifier: string,
    context: Context,
  ) => Parsed<C>;
}

export function criterionParameter<C, Context = unknown>(
  declared: Pick<SearchParameter, 'name' | 'type' | 'documentation'> & Partial<SearchParameter>,
  parse: CriterionParameter<C, Context>['parse'],
): CriterionParameter<C, Context> {
  const common = {
    kind: 'criterion',
    modifiers: [],
    isCriterion: true,
    isRepeatable: true,
  } as const;
  return { ...common, ...declared, parse };
}

/** A parameter that changes the criteria of another parameter in the same search. */
export interface QualifierParameter<C> extends SearchParameter {
  readonly kind: 'qualifier';
  /** The name of the other parameter. */
  readonly qualifies: string;
  /** The diagnostics of a search that lacks the other parameter. */
  readonly alone: string;
  /** The diagnostics of a second value. */
  readonly repeated: string;
  readonly parse: (text: string) => Parsed<(criterion: C) => C>;
}

/** A parameter that shapes the answer, not the matches. */
export interface ResultParameter<Options, Context = unknown> extends SearchParameter {
  readonly kind: 'result';
  parse(text: string, context: Context, given: GivenResult<Options>): Parsed<Partial<Options>>;
}

/** Further values that a result parameter may need. */
export interface GivenResult<Options> {
  readonly request: SearchRequest;
  /** Empty if the request has none. */
  readonly modifier: string;
  /** What the parameters before it have set. */
  readonly options: Partial<Options>;
}

export type ParameterDefinition<C, Options, Context> =
  | CriterionParameter<C, Context>
  | QualifierParameter<C>
  | ResultParameter<Options, Context>;

export interface SearchParameter {
  readonly name: string;
  /** FHIR's search parameter types. */
  readonly type: 'number' | 'date' | 'string' | 'token' | 'uri' | 'reference';
  readonly modifiers: readonly string[];
  /** The types that a reference may lead to. Each is a modifier too. */
  readonly targets?: readonly string[];
  /**
   * The types that a chained name may spell out, in their order: `request:Order.identifier` is
   * `request.identifier` with the type `Order`.
   */
  readonly chain?: readonly string[];
  /** What people may call it, for the message about an unknown parameter. */
  readonly otherNames?: readonly string[];
  readonly documentation: string;
  /** The url of the SearchParameter, if FHIR does not define the parameter. */
  readonly definition?: string;
  /** Whether a search may repeat it. A resource must then match each of the values. */
  readonly isRepeatable: boolean;
  /** Whether it selects resources. Other parameters change the form of the answer. */
  readonly isCriterion: boolean;
}

export interface SearchRequest {
  /** The parameters as a query string, percent-encoded. */
  readonly query: string;
  /** Whether to ignore unknown parameters (`Prefer: handling=lenient`). */
  readonly isLenient: boolean;
  readonly form: Form;
  /** Why `_format` or `_pretty` is not valid. The search reports it with the other problems. */
  readonly formIssue: Issue | undefined;
  /** The type of the matches, whose elements a client can name. Absent: the names are not checked. */
  readonly searched?: {
    readonly type: string;
    readonly version: FhirVersion;
  };
}
