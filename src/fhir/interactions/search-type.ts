/**
 * FHIR search within one type, by GET, and by POST with parameters in the body too.
 * https://hl7.org/fhir/STU3/http.html#search
 */

import { headerOf, preferredValue } from '../http/headers.ts';
import { FORM_TYPE } from '../http/media-type.ts';
import type { ErrorKind } from '../request/fhir-error.ts';
import type { FhirResponse } from '../request/request.ts';
import type { SearchParameter, SearchRequest } from '../search/parameter.ts';
import { answerAtPace } from '../service/answer.ts';
import type {
  Interaction,
  MaybePromise,
  ServedType,
  Service,
  TypeContext,
} from '../service/interaction.ts';
import { after } from '../service/run-interaction.ts';
import { PREFER } from '../statement/open-api-answers.ts';

export const searchType: Interaction = {
  code: 'search-type',
  method: 'GET',
  path: '[type]',
  needs: 'read',
  describe: (_service, { name, documentation, search }) => ({
    operationId: `search${name}`,
    summary: `Search: ${documentation}`,
    parameters: [PREFER, ...(search?.parameters ?? []).flatMap(queryParameters)],
    returns: 'Bundle',
    errors: SEARCH_ERRORS,
  }),
  run,
};

export const searchTypeByForm: Interaction = {
  code: 'search-type',
  method: 'POST',
  path: '[type]/_search',
  needs: 'read',
  body: 'form',
  describe: (service, type) => ({
    operationId: `search${type.name}ByForm`,
    summary: 'The same search. Parameters of the URL and of the form both apply.',
    parameters: [PREFER],
    requestBody: {
      content: { [FORM_TYPE]: { schema: formSchema(type), ...formExample(service, type) } },
    },
    returns: 'Bundle',
    errors: [...SEARCH_ERRORS, 'unsupported-media-type', 'body-too-large'],
  }),
  run,
};

function run(context: TypeContext): MaybePromise<FhirResponse> {
  const { request, service, type, negotiated } = context;
  const { form, issue } = negotiated;
  if (type.search === undefined) throw new Error(`the type ${type.name} has no search`);
  const search: SearchRequest = {
    query: request.query,
    isLenient: preferredValue(headerOf(request, 'prefer'), 'handling') === 'lenient',
    form,
    formIssue: issue,
    searched: { type: type.name, version: service.version },
  };
  return after(type.search.run(search, context), (bundle) => answerAtPace(context, form, bundle));
}

const SEARCH_ERRORS: readonly ErrorKind[] = [
  'invalid-code-system',
  'invalid-code-value',
  'invalid-identifier-system',
  'invalid-identifier-value',
  'invalid-parameter',
  'invalid-value',
  'not-acceptable',
  'gone',
  'too-costly',
];

/** For the OpenAPI description: one for the parameter itself, and one for each modifier. */
export function queryParameters(parameter: SearchParameter): object[] {
  const { name, documentation, modifiers } = parameter;
  return [
    queryParameter(name, documentation, parameter),
    ...modifiers.map((modifier) =>
      queryParameter(`${name}:${modifier}`, `${name} with the modifier ${modifier}.`, parameter),
    ),
  ];
}

function queryParameter(name: string, description: string, parameter: SearchParameter): object {
  return { name, in: 'query', description, schema: valueSchema(parameter), ...EXPLODED };
}

/** A repeated parameter is a repeated pair of the query string. */
const EXPLODED = { style: 'form', explode: true };

function valueSchema({ type, isRepeatable }: SearchParameter): object {
  const one = { type: type === 'number' ? 'integer' : 'string' };
  return isRepeatable ? { type: 'array', items: one } : one;
}

/** The example of the search by GET, with the types of the form. */
function formExample({ examples }: Service, { name, search }: ServedType) {
  const values = examples?.[`search${name}`]?.parameters;
  if (values === undefined) return {};
  const entries = Object.entries(values).map(([key, value]) => {
    const [bare] = key.split(':');
    const parameter = search?.parameters.find((each) => each.name === bare);
    return [key, parameter?.isRepeatable ? [value] : value];
  });
  return { example: Object.fromEntries(entries) };
}

function formSchema({ search }: ServedType): object {
  const properties = (search?.parameters ?? []).flatMap((parameter) =>
    ['', ...parameter.modifiers.map((modifier) => `:${modifier}`)].map((modifier) => [
      parameter.name + modifier,
      { description: parameter.documentation, ...valueSchema(parameter) },
    ]),
  );
  return { type: 'object', properties: Object.fromEntries(properties) };
}
