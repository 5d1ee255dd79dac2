/**
 * The operations of endpoints in the OpenAPI description.
 * https://spec.openapis.org/oas/v3.1.0.html#operation-object
 */

import type { PlainOperation } from '../../fhir/service/interaction.ts';
import { NOT_MODIFIED } from '../../fhir/statement/open-api-answers.ts';
import { type PlainEndpoint, pathParameterOf } from './endpoint.ts';
import type { JsonSchema } from './json-schema.ts';
import type { ParameterRow, ParameterTable } from './parameter-table.ts';

/** The errors of a door, as the description has them. */
export interface DescribedErrors {
  /** Those that every endpoint can have, by status. */
  readonly every: Readonly<Record<number, string>>;
  readonly mediaType: string;
  readonly schema: JsonSchema;
}

export function operationOf(described: PlainEndpoint, errors: DescribedErrors): PlainOperation {
  const { operationId, summary, parameters, bodies, answers } = described;
  const hasParameters = Object.keys(parameters).length > 0;
  return {
    operationId,
    summary,
    ...(hasParameters && { parameters: describedParameters(described) }),
    ...(bodies !== undefined && { requestBody: { required: true, content: contentOf(bodies) } }),
    responses: {
      200: {
        description: answers.description ?? summary,
        ...(answers.headers !== undefined && { headers: answers.headers }),
        content: answers.forms,
      },
      ...(answers.isValidated === true && NOT_MODIFIED),
      ...describedErrors(errors, answers.errors),
    },
  };
}

function describedParameters(described: PlainEndpoint): readonly object[] {
  const { parameters, shown = [] } = described;
  const inPath = pathParameterOf(described);
  return Object.entries(parameters).map(([name, parameter]) => ({
    name,
    in: name === inPath ? 'path' : 'query',
    ...(parameter.documentation !== undefined && { description: parameter.documentation }),
    schema: parameter.kind.schema,
    ...((parameter.isRequired === true || name === inPath) && { required: true }),
    ...((shown.includes(name) || name === inPath) && { example: exampleOf(parameter) }),
  }));
}

/** The example in the type of the schema. */
function exampleOf({ kind: { schema }, example }: ParameterRow): unknown {
  if (schema.type === 'integer') return Number(example);
  return schema.type === 'boolean' ? example === 'true' : example;
}

function contentOf(bodies: NonNullable<PlainEndpoint['bodies']>): object {
  const described = Object.entries(bodies).map(([mediaType, { schema, example }]) => [
    mediaType,
    { schema, ...(example !== undefined && { example }) },
  ]);
  return Object.fromEntries(described);
}

/** The schema of a JSON body whose members are the parameters. */
export function bodySchemaOf(table: ParameterTable): JsonSchema {
  const members = Object.entries(table);
  return {
    type: 'object',
    properties: Object.fromEntries(
      members.map(([name, { kind, documentation }]) => [
        name,
        { ...kind.schema, ...(documentation !== undefined && { description: documentation }) },
      ]),
    ),
    required: members.flatMap(([name, { isRequired }]) => (isRequired === true ? [name] : [])),
  };
}

/** A JSON body whose members are the examples of these parameters. */
export function exampleBodyOf(table: ParameterTable, names: readonly string[]): object {
  const members = names.map((name) => [name, exampleOf(table[name]!)]);
  return Object.fromEntries(members);
}

function describedErrors(
  { every, mediaType, schema }: DescribedErrors,
  own: Readonly<Record<number, string>> = {},
): Record<string, object> {
  const answers = Object.entries({ ...every, ...own }).map(([status, description]) => [
    status,
    { description, content: { [mediaType]: { schema } } },
  ]);
  return Object.fromEntries(answers);
}
