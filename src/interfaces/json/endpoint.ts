/**
 * An endpoint of the interfaces that are not FHIR: a path, its parameters as a table, what it asks,
 * and the forms of its answers. Its route, the reading of its parameters, its operation in the
 * OpenAPI description and its words in the log are made from it.
 */

import type { Form } from '../../fhir/http/negotiate.ts';
import type { Pair } from '../../fhir/http/query-string.ts';
import type { FhirRequest, FhirResponse } from '../../fhir/request/request.ts';
import { answer, answerBody, answerDownload, answerPieces } from '../../fhir/service/answer.ts';
import type { MaybePromise, OpenDownload } from '../../fhir/service/interaction.ts';
import type { PlainContext, PlainRoute } from '../../fhir/service/plain-service.ts';
import type { Representation } from '../../fhir/service/representation.ts';
import { after } from '../../fhir/service/run-interaction.ts';
import { withoutOtherOrigins } from '../answer/answer-options.ts';
import type { ParameterTable, ValuesOf } from './parameter-table.ts';
import type { QueryRules } from './read-parameters.ts';

export interface PlainEndpoint<Table extends ParameterTable = ParameterTable, Body = unknown>
  extends Pick<PlainRoute, 'path' | 'method' | 'interaction'> {
  /** The id of the operation in the OpenAPI description. */
  readonly operationId: string;
  readonly summary: string;
  /** With the parameter in the path, by the same name. */
  readonly parameters: Table;
  /** The names of parameters whose examples make a request that clients can send as it is. */
  readonly shown?: readonly string[];
  /** What the body may be, by media type. Absent: the request has none. */
  readonly bodies?: Readonly<Record<string, PlainBody<Body>>>;
  readonly answers: PlainAnswers;
  /** Its own rules, in place of those of its door. */
  readonly rules?: Partial<QueryRules>;
  /**
   * An answer that is kept for the same request. Asked for before the parameters are read, so that
   * it costs little.
   */
  kept?(request: FhirRequest, form: Form): PlainResult | undefined;
  /** Throws a FhirError if there is no answer. */
  ask(asked: EndpointRequest<Table, Body>): MaybePromise<PlainResult>;
}

/** An endpoint whose values have the exact types of its table. */
export function plainEndpoint<const Table extends ParameterTable, Body = undefined>(
  described: PlainEndpoint<Table, Body>,
): PlainEndpoint {
  return described as PlainEndpoint;
}

/** A request as an endpoint gets it. */
export interface EndpointRequest<Table extends ParameterTable, Body> {
  readonly values: ValuesOf<Table>;
  /** The parameters of the query as the client sent them. */
  readonly pairs: readonly Pair[];
  readonly body: Body;
  readonly request: FhirRequest;
  /** The form that the client wants. */
  readonly form: Form;
}

/** What a body may be. */
export interface PlainBody<Body> {
  readonly schema: object;
  readonly example?: object;
  /** The names in it that the log may show. */
  readonly words?: readonly string[];
  /** Rejects with a FhirError if the body is not valid. `values`: those of the query. */
  read(request: FhirRequest, values: Readonly<Record<string, unknown>>): Promise<Body>;
}

/** The answers of an endpoint, as the OpenAPI description has them. */
export interface PlainAnswers {
  /** Of the answer with 200. By default the summary. */
  readonly description?: string;
  readonly headers?: Readonly<Record<string, object>>;
  /** Whether it has validators, so that a client may have the answer already. */
  readonly isValidated?: boolean;
  /** By media type: what the answer is made of. */
  readonly forms: Readonly<Record<string, { readonly schema?: object }>>;
  /** The errors that only this endpoint has, by status. */
  readonly errors?: Readonly<Record<number, string>>;
}

/** What an endpoint answers. */
export type PlainResult = Content & {
  /** Whether pages of other origins may not read it. */
  readonly isForOwnOrigin?: boolean;
};

type Content =
  | { readonly text: string; readonly form?: Form }
  | { readonly pieces: OpenDownload['pieces']; readonly form?: Form }
  | { readonly representation: Representation }
  | {
      readonly open: () => OpenDownload;
      readonly contentType: string;
      readonly isCompressed?: boolean;
    };

/** The answer over HTTP. */
export function responseOf(
  context: PlainContext,
  form: Form,
  result: PlainResult,
): MaybePromise<FhirResponse> {
  const response = contentOf(context, form, result);
  return result.isForOwnOrigin ? after(response, withoutOtherOrigins) : response;
}

function contentOf(context: PlainContext, form: Form, result: Content): MaybePromise<FhirResponse> {
  if ('representation' in result) return answer(context, form, result.representation);
  if ('text' in result) return answerBody(context, result.form ?? form, { body: result.text });
  if ('pieces' in result) return answerPieces(context, result.form ?? form, result.pieces);
  const { request, service, interaction } = context;
  return answerDownload(request, service, result, interaction.code);
}

/** The name of the parameter at the end of a path. */
export function pathParameterOf({ path }: Pick<PlainEndpoint, 'path'>): string | undefined {
  return /\{(\w+)\}$/.exec(path)?.[1];
}
