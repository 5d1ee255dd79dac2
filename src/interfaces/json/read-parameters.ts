/** Reads query strings and JSON bodies by a table of parameters, and says what is wrong with them. */

import { type Pair, parseQueryString } from '../../fhir/http/query-string.ts';
import type { FhirError } from '../../fhir/request/fhir-error.ts';
import { shownText, unknownValue } from '../../fhir/request/unknown-name.ts';
import { OPENAPI, refuse, unknownParameter } from './json-parameters.ts';
import type { ParameterRow, ParameterTable, ValuesOf } from './parameter-table.ts';

/** How a door reads queries, and its texts. */
export interface QueryRules {
  /** The error of a name that is in no table. */
  unknown(name: string, known: readonly string[]): FhirError;
  repeated(name: string): string;
  /**
   * Whether forms of people send the query: an empty value is then the same as none, and white space
   * around a value does not matter.
   */
  readonly isForm?: boolean;
  /** Whether names that are in no table do not matter. */
  readonly ignoresUnknown?: boolean;
}

export const QUERY_RULES: QueryRules = {
  unknown: (sent, known) => refuse(unknownParameter(sent, known)),
  repeated: (name) => `The query parameter ${name} is repeated.`,
};

/** The rules of queries that forms send. */
export const FORM_RULES: QueryRules = { ...QUERY_RULES, isForm: true };

export interface ReadQuery<Table extends ParameterTable> {
  /** In the order of the request. */
  readonly values: ValuesOf<Table>;
  /** As the client sent them, in the order of the request. */
  readonly pairs: readonly Pair[];
}

/** Throws a FhirError with the first problem. */
export function readQuery<Table extends ParameterTable>(
  query: string,
  table: Table,
  rules: QueryRules = QUERY_RULES,
): ReadQuery<Table> {
  const pairs = parseQueryString(query);
  const values: Record<string, unknown> = {};
  const met = new Set<string>();
  for (const { name, value: sent, isMalformed } of pairs) {
    const parameter = Object.hasOwn(table, name) ? table[name] : undefined;
    if (parameter === undefined) {
      if (rules.ignoresUnknown === true) continue;
      throw rules.unknown(name, Object.keys(table));
    }
    if (met.has(name) && parameter.isRepeatable !== true) throw refuse(rules.repeated(name));
    if (isMalformed) throw refuse(`${name} is not percent-encoded UTF-8.`);
    met.add(name);
    const value = rules.isForm === true ? sent.trim() : sent;
    if (value === '' && rules.isForm === true) continue;
    const read = readValue(name, value, parameter);
    const before = values[name];
    values[name] = parameter.isRepeatable === true ? withValue(before, read) : read;
  }
  return { values: completed(values, table, missingText), pairs };
}

/** A parameter as a message shows it: `code=RR8`. */
export function pairText(name: string, example: string): string {
  return `${name}=${encodeURIComponent(example)}`;
}

function missingText(name: string, example: string): string {
  return `${name} is missing. Give it, as in ${pairText(name, example)}.`;
}

function withValue(before: unknown, value: unknown): readonly unknown[] {
  return Array.isArray(before) ? [...before, value] : [value];
}

/** The value of a parameter. Throws a FhirError if there is no text, or the text is not valid. */
export function readValue<Value>(
  name: string,
  text: string | undefined,
  parameter: ParameterRow<Value>,
  shown = `"${shownText(text ?? '')}"`,
): Value {
  const value = text === undefined ? undefined : parameter.kind.parse(text);
  if (text === undefined || value === undefined) {
    throw refuse(invalidText(name, text, parameter, shown));
  }
  const failed = parameter.checks?.find(({ isMet }) => !isMet(text));
  if (failed !== undefined) throw refuse(failed.text);
  return value;
}

/** Why the text of a parameter is not valid, for a door that tells all problems; else undefined. */
export function parameterProblemOf(
  name: string,
  text: string,
  parameter: ParameterRow,
): string | undefined {
  if (parameter.kind.parse(text) !== undefined) return undefined;
  return invalidText(name, text, parameter, `"${shownText(text)}"`);
}

function invalidText(
  name: string,
  text: string | undefined,
  { kind: { known, isList, listedAt = OPENAPI, rule }, texts }: ParameterRow,
  shown: string,
): string {
  if (texts?.invalid !== undefined) return texts.invalid;
  if (known === undefined || text === undefined) return `${name} ${rule}. Got ${shown}.`;
  const parts = isList === true ? text.split(',').map((part) => part.trim()) : [];
  const wrong = parts.find((part) => part !== '' && !known.includes(part)) ?? text;
  return unknownValue(name, wrong, known, listedAt);
}

export type SentObject = Readonly<Record<string, unknown>>;

/**
 * The members of a JSON object that are in the table. Programs send every member, those that they
 * do not need as an empty text or null. Throws a FhirError with the first problem.
 */
export function readMembers<Table extends ParameterTable>(
  sent: SentObject,
  table: Table,
): ValuesOf<Table> {
  return readObject(sent, table, (name) => `The member ${name} is missing.`);
}

/** The texts of a form, a command or a call. Empty ones count as absent. */
export function readTexts<Table extends ParameterTable>(
  texts: Readonly<Record<string, string | undefined>>,
  table: Table,
): ValuesOf<Table> {
  return readObject(texts, table, missingText);
}

function readObject<Table extends ParameterTable>(
  sent: SentObject,
  table: Table,
  missing: typeof missingText,
): ValuesOf<Table> {
  const values: Record<string, unknown> = {};
  for (const [name, parameter] of Object.entries(table)) {
    const value = Object.hasOwn(sent, name) ? sent[name] : undefined;
    if (value === undefined || value === null || value === '') continue;
    values[name] = readValue(name, textOf(value, parameter), parameter, shownValue(value));
  }
  return completed(values, table, missing);
}

/** A value of a JSON body as a message shows it. */
export function shownValue(value: unknown): string {
  return shownText(JSON.stringify(value));
}

/** Programs send numbers and true or false as such, or as texts. Nothing else is a text. */
function textOf(value: unknown, { kind: { schema } }: ParameterRow): string | undefined {
  const type = typeof value;
  const isOfKind = schema.type === (type === 'number' ? 'integer' : type);
  return type === 'string' || isOfKind ? String(value) : undefined;
}

/** With the lists that are empty. Throws a FhirError if a value is missing. */
function completed<Table extends ParameterTable>(
  values: Record<string, unknown>,
  table: Table,
  missing: typeof missingText,
): ValuesOf<Table> {
  for (const [name, { isRequired, isRepeatable, texts, example }] of Object.entries(table)) {
    if (values[name] !== undefined) continue;
    if (isRequired === true) {
      throw refuse(texts?.missing ?? missing(name, example));
    }
    if (isRepeatable === true) values[name] = [];
  }
  return values as ValuesOf<Table>;
}
