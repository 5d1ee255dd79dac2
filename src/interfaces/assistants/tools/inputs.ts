/** The inputs of tools: what assistants may send, as JSON Schema and as checks that say what to change. */

import { FhirError, type Issue } from '../../../fhir/request/fhir-error.ts';
import { shownText, unknownName } from '../../../fhir/request/unknown-name.ts';
import type { JsonSchema } from '../../json/json-schema.ts';

/** An input of a tool, or an item of one. */
export interface ToolInput<Value> {
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
  /** The value, or why it is not one: a text that follows the name of the input. */
  read(value: unknown): Read<Value>;
}

type Read<Value> = { readonly value: Value } | { readonly problem: string };

export type Inputs = Readonly<Record<string, ToolInput<unknown>>>;

/** The values of inputs, by their names. */
export type InputValues<Given extends Inputs> = {
  readonly [Name in keyof Given]: Given[Name] extends ToolInput<infer Value> ? Value : never;
};

/** Longer than every name. */
const TEXT_LENGTH_MAX = 200;

export function textInput(
  description: string,
  { min = 1, max = TEXT_LENGTH_MAX }: { readonly min?: number; readonly max?: number } = {},
): ToolInput<string> {
  return {
    schema: { type: 'string', minLength: min, maxLength: max, description },
    isRequired: true,
    read: (value) => {
      if (typeof value !== 'string') return wrong(value, 'a text');
      const trimmed = value.trim();
      if (trimmed === '') return { problem: 'is empty. Leave it out, or give a text.' };
      if (trimmed.length < min) return wrong(value, `a text of at least ${min} characters`);
      // The schema counts the text as it was sent.
      if (value.length > max) return wrong(value, `a text of at most ${max} characters`);
      return { value: trimmed };
    },
  };
}

export function numberInput(description: string, min: number, max: number): ToolInput<number> {
  return {
    schema: { type: 'integer', minimum: min, maximum: max, description },
    isRequired: true,
    read: (value) =>
      typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
        ? { value }
        : wrong(value, `a whole number from ${min} to ${max}`),
  };
}

/** Greater than 0. */
export function positiveInput(description: string, max: number): ToolInput<number> {
  return {
    schema: { type: 'number', exclusiveMinimum: 0, maximum: max, description },
    isRequired: true,
    read: (value) =>
      typeof value === 'number' && value > 0 && value <= max
        ? { value }
        : wrong(value, `a number above 0, and at most ${max}`),
  };
}

export function flagInput(description: string): ToolInput<boolean> {
  return {
    schema: { type: 'boolean', description },
    isRequired: true,
    read: (value) => (typeof value === 'boolean' ? { value } : wrong(value, 'true or false')),
  };
}

export function choiceInput<Value extends string>(
  description: string,
  values: readonly Value[],
): ToolInput<Value> {
  return {
    schema: { type: 'string', enum: values, description },
    isRequired: true,
    read: (value) => {
      const found = values.find((each) => each === value);
      if (found !== undefined) return { value: found };
      if (typeof value !== 'string') return wrong(value, `one of ${values.join(', ')}`);
      const unknown = { kind: 'value', sent: value, known: values, listedAt: 'tools/list' };
      return { problem: `: ${unknownName(unknown)}` };
    },
  };
}

export function listInput<Item>(
  description: string,
  item: ToolInput<Item>,
  max: number,
): ToolInput<readonly Item[]> {
  return {
    schema: { type: 'array', items: item.schema, minItems: 1, maxItems: max, description },
    isRequired: true,
    read: (value) => {
      if (!Array.isArray(value)) return wrong(value, 'a list');
      if (value.length === 0) return { problem: 'is an empty list. Give at least one item.' };
      if (value.length > max) {
        return { problem: `has ${value.length} items. Give at most ${max} in a call.` };
      }
      const items: Item[] = [];
      for (const [at, each] of value.entries()) {
        const read = item.read(each);
        if ('problem' in read) return { problem: `: ${named(`item ${at + 1}`, read.problem)}` };
        items.push(read.value);
      }
      return { value: items };
    },
  };
}

export function objectInput<Given extends Inputs>(inputs: Given): ToolInput<InputValues<Given>> {
  return {
    schema: schemaOf(inputs),
    isRequired: true,
    read: (value) => {
      const { values, problems } = readAll(inputs, value, 'member');
      return problems.length === 0 ? { value: values } : { problem: `: ${problems.join(' ')}` };
    },
  };
}

/** May be left out. Null counts as left out. */
export function optionalInput<Value>(input: ToolInput<Value>): ToolInput<Value | undefined> {
  return {
    schema: input.schema,
    isRequired: false,
    read: (value) => (value === undefined || value === null ? NOT_GIVEN : input.read(value)),
  };
}

const NOT_GIVEN = { value: undefined };

/** The schema of an object with these inputs, and no others. */
export function schemaOf(inputs: Inputs): JsonSchema {
  const named = Object.entries(inputs);
  const required = named.filter(([, { isRequired }]) => isRequired).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(named.map(([name, { schema }]) => [name, schema])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** Throws a FhirError with every problem. */
export function readInputs<Given extends Inputs>(inputs: Given, sent: unknown): InputValues<Given> {
  const { values, problems } = readAll(inputs, sent ?? {}, 'argument');
  if (problems.length === 0) return values;
  throw new FhirError(
    problems.map((diagnostics): Issue => ({ kind: 'invalid-parameter', diagnostics })),
  );
}

/** `kind` is what an input is: an argument, or a member of one. */
function readAll<Given extends Inputs>(
  inputs: Given,
  sent: unknown,
  kind: string,
): { readonly values: InputValues<Given>; readonly problems: readonly string[] } {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) {
    const problem = `The ${kind}s must be an object. Got ${shown(sent)}.`;
    return { values: {} as InputValues<Given>, problems: [problem] };
  }
  const known = Object.keys(inputs);
  const problems = Object.keys(sent)
    .filter((name) => !known.includes(name))
    .slice(0, PROBLEMS_MAX)
    .map((name) => unknownName({ kind, sent: name, known, listedAt: 'tools/list' }));
  const given = new Map<string, unknown>(Object.entries(sent));
  const values = Object.entries(inputs).flatMap(([name, input]) => {
    const value = given.get(name);
    if (value === undefined && input.isRequired) {
      problems.push(`${name} is missing. ${input.schema.description ?? 'Give it.'}`);
      return [];
    }
    const read = input.read(value);
    if ('value' in read) return [[name, read.value]];
    problems.push(named(name, read.problem));
    return [];
  });
  return { values: Object.fromEntries(values) as InputValues<Given>, problems };
}

/** A problem of a part begins with a colon. */
function named(name: string, problem: string): string {
  return problem.startsWith(':') ? name + problem : `${name} ${problem}`;
}

/** Of unknown names in a call. */
const PROBLEMS_MAX = 5;

function wrong(value: unknown, must: string): { readonly problem: string } {
  return { problem: `must be ${must}. Got ${shown(value)}.` };
}

function shown(value: unknown): string {
  return shownText(JSON.stringify(value) ?? String(value));
}
