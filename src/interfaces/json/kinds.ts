/** The kinds of values that parameters have: how each is read from a text, and its JSON schema. */

import { pastedCode, trimPasted } from '../../directory/edition/source-record.ts';
import { dayPeriod } from '../../directory/record/day.ts';
import { parseWholeNumber } from '../../fhir/search/result-parameters.ts';
import { DATE, type JsonSchema, oneOf, TEXT } from './json-schema.ts';

export interface Kind<Value> {
  readonly schema: JsonSchema;
  /** What a value must be. It follows the name in a message: `must be a date YYYY-MM-DD`. */
  readonly rule: string;
  /** What a value is called in the syntax of a command, if not as the parameter: `day`. */
  readonly word?: string;
  /** All values, if they are a few names. The message then has the nearest one. */
  readonly known?: readonly string[];
  /** Whether a text can have several of them, separated by commas. */
  readonly isList?: boolean;
  /** Where they are listed, if not in the OpenAPI description. */
  readonly listedAt?: string;
  /**
   * Undefined if the text is no such value. Throws a FhirError if it can say more about the text than
   * the rule does.
   */
  parse(text: string): Value | undefined;
}

/** The type of the values of a kind. */
export type ValueOfKind<K> = K extends Kind<infer Value> ? Value : never;

export const TEXT_KIND: Kind<string> = {
  schema: TEXT,
  rule: 'must be a text',
  parse: (text) => text,
};

/** A text without white space around it. */
export const WORDS_KIND: Kind<string> = {
  schema: TEXT,
  rule: 'must not be empty',
  parse: (text) => text.trim() || undefined,
};

/** A day as it is written: `2026-04-01`. */
export const DAY_KIND: Kind<string> = {
  schema: DATE,
  rule: 'must be a date YYYY-MM-DD',
  word: 'day',
  parse: (text) => (dayPeriod(text) === undefined ? undefined : text),
};

/** The code of an organisation, without white space and quotes around it. */
export const CODE_KIND: Kind<string> = {
  schema: TEXT,
  rule: 'must be the code of an organisation',
  word: 'code',
  parse: (text) => pastedCode(text) || undefined,
};

export const FLAG_KIND: Kind<boolean> = {
  schema: { type: 'boolean' },
  rule: 'must be true or false',
  parse: (text) => (text === 'true' || text === 'false' ? text === 'true' : undefined),
};

/** One of these texts. */
export function oneOfKind<const Value extends string>(values: readonly Value[]): Kind<Value> {
  return {
    schema: oneOf(values),
    rule: `must be one of ${values.join(', ')}`,
    known: values,
    parse: (text) => values.find((value) => value === text),
  };
}

/** A whole number. `range` says in words which ones: `from 1 to 100,000`. */
export function numberKind({ min, max, preset }: NumberRange, range: string): Kind<number> {
  return {
    schema: {
      type: 'integer',
      minimum: min,
      ...(max !== undefined && { maximum: max }),
      ...(preset !== undefined && { default: preset }),
    },
    rule: `must be a whole number, ${range}`,
    parse: (text) => {
      const number = parseWholeNumber(text);
      const isValid = number !== undefined && number >= min && number <= (max ?? number);
      return isValid ? number : undefined;
    },
  };
}

export interface NumberRange {
  readonly min: number;
  readonly max?: number;
  /** The number without the parameter. */
  readonly preset?: number;
}

/** The same kind in any case. */
export function anyCase<Value>(kind: Kind<Value>): Kind<Value> {
  return { ...kind, parse: (text) => kind.parse(text.toLowerCase()) };
}

/** Several values in one text, separated by commas. Empty ones, and white space around each, do not matter. */
export function listKind<Value>(kind: Kind<Value>, rule = kind.rule): Kind<readonly Value[]> {
  return {
    schema: TEXT,
    rule,
    ...(kind.known !== undefined && { known: kind.known, isList: true }),
    ...(kind.listedAt !== undefined && { listedAt: kind.listedAt }),
    parse: (text) => {
      if (!text.includes(',')) {
        const value = kind.parse(trimPasted(text));
        return value === undefined ? undefined : [value];
      }
      const texts = text
        .split(',')
        .map(trimPasted)
        .filter((each) => each !== '');
      const values = texts.flatMap((each) => kind.parse(each) ?? []);
      return values.length > 0 && values.length === texts.length ? values : undefined;
    },
  };
}

/** A kind whose values become something else, such as a criterion of a search. */
export function mappedKind<Value, Mapped>(
  kind: Kind<Value>,
  map: (value: Value) => Mapped,
): Kind<Mapped> {
  return {
    schema: kind.schema,
    rule: kind.rule,
    parse: (text) => {
      const value = kind.parse(text);
      return value === undefined ? undefined : map(value);
    },
  };
}
