/** Examples of requests in the OpenAPI description, which clients can send as they are. */
import type { AnyResource } from '../format/resource.ts';

export interface RequestExample {
  /** The values of parameters, by name. The other parameters have no example. */
  readonly parameters?: Readonly<Record<string, string | number>>;
  readonly body?: AnyResource;
}

/** The examples by the id of their operation, without the name of the service. */
export type RequestExamples = Readonly<Record<string, RequestExample>>;

/** Adds the values to the parameters of an operation. */
export function withExamples(
  parameters: readonly object[],
  { parameters: values = {} }: RequestExample = {},
): object[] {
  return parameters.map((parameter) => {
    const example = 'name' in parameter ? values[String(parameter.name)] : undefined;
    if (example === undefined) return parameter;
    return { ...parameter, example: isRepeatable(parameter) ? [example] : example };
  });
}

/** Whether the schema is an array. The example must then be an array, too. */
function isRepeatable(parameter: object): boolean {
  if (!('schema' in parameter)) return false;
  const { schema } = parameter;
  return (
    typeof schema === 'object' && schema !== null && 'type' in schema && schema.type === 'array'
  );
}
