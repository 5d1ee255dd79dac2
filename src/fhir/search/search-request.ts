/** A search within one type: the parameters that it may have, and the request itself. */

import type { Form } from '../http/negotiate.ts';
import type { Issue } from '../service/fhir-error.ts';

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
}
