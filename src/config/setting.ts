/** One setting: the check of its value, its default and its help text, with a builder per type. */
import * as z from 'zod';
import {
  isBaseUrl,
  isInterfacePath,
  isIssuerUrl,
  normalBaseUrl,
  withoutPassword,
} from './addresses.ts';

export interface Setting<T = unknown> {
  readonly schema: z.ZodType<T>;
  /** Absent if the setting is `undefined` by default. */
  readonly defaultValue?: T;
  /** What applies without a value, for a setting without `defaultValue`. */
  readonly unset?: string;
  /** The placeholder for the value in the help of a command. */
  readonly argument: string;
  /** The allowed values, if `argument` does not list them. */
  readonly range?: string;
  /** The help text: one phrase without a full stop. */
  readonly help: string;
  /** More sentences for the settings reference, in Markdown. */
  readonly details?: string;
  /** The value is never shown, and there is no flag, because other users can see flags. */
  readonly isSecret?: true;
  /** The value is the path of a file that must exist. */
  readonly isFile?: true;
  /** For a value that can contain a secret: the part that may be shown. */
  readonly shown?: (value: string) => string;
}

/** The texts of a setting that a builder takes besides its values. */
export type Texts = Pick<Setting, 'details' | 'unset'>;

export function text(
  defaultValue: string,
  argument: string,
  help: string,
  texts: Texts = {},
): Setting<string> {
  return { schema: nonEmpty(), defaultValue, argument, help, ...texts };
}

export function optionalText(
  argument: string,
  help: string,
  texts: Texts = {},
): Setting<string | undefined> {
  return { schema: nonEmpty().optional(), argument, help, ...texts };
}

/** A file that must exist. For a file that the program can create, use `optionalText`. */
export function file(help: string, texts: Texts = {}): Setting<string | undefined> {
  return { ...optionalText('FILE', help, texts), isFile: true };
}

/** A text without spaces, exactly as it is in a token. */
export function claim(
  argument: string,
  help: string,
  texts: Texts = {},
): Setting<string | undefined> {
  const schema = z.string().regex(/^\S+$/, 'must be the text of the claim, without spaces');
  return { schema: schema.optional(), argument, help, ...texts };
}

export function whole(
  min: number,
  max: number,
  defaultValue: number,
  help: string,
  texts: Texts = {},
): Setting<number> {
  const schema = wholeSchema(min, max);
  return { schema, defaultValue, argument: 'N', range: rangeText(min, max), help, ...texts };
}

export function optionalWhole(
  min: number,
  max: number,
  help: string,
  texts: Texts = {},
): Setting<number | undefined> {
  const schema = wholeSchema(min, max).optional();
  return { schema, argument: 'N', range: rangeText(min, max), help, ...texts };
}

/** A number from 0 to 1. */
export function ratio(defaultValue: number, help: string, texts: Texts = {}): Setting<number> {
  const error = 'must be a number from 0 to 1';
  const schema = z.number({ error }).min(0, { error }).max(1, { error });
  return { schema, defaultValue, argument: 'N', range: '0 to 1', help, ...texts };
}

export function flag(defaultValue: boolean, help: string, texts: Texts = {}): Setting<boolean> {
  const schema = z.boolean({ error: 'must be true or false' });
  return { schema, defaultValue, argument: 'true|false', help, ...texts };
}

export function choice<const T extends string>(
  values: readonly [T, ...T[]],
  defaultValue: T,
  help: string,
  texts: Texts = {},
): Setting<T> {
  const schema = z.enum(values, { error: `must be one of ${values.join(', ')}` });
  return { schema, defaultValue, argument: values.join('|'), help, ...texts };
}

/** A relative URI is valid too: the parts of an extension have such URLs. */
export function uri(defaultValue: string, help: string, texts: Texts = {}): Setting<string> {
  const schema = z.string().regex(/^\S+$/, 'must be a URI without spaces');
  return { schema, defaultValue, argument: 'URI', help, ...texts };
}

/** The path of an interface below the public address of the server. */
export function path(defaultValue: string, help: string, texts: Texts = {}): Setting<string> {
  const schema = z
    .string()
    .refine(isInterfacePath, 'must be a path such as /STU3 that no page of the server uses');
  return { schema, defaultValue, argument: 'PATH', help, ...texts };
}

export function headerValue(help: string, texts: Texts = {}): Setting<string | undefined> {
  const schema = z.string().regex(/^[\x21-\x7e]+( [\x21-\x7e]+)*$/, 'must be a header value');
  return { schema: schema.optional(), argument: 'VALUE', help, ...texts };
}

/** Texts separated by commas, or a JSON list in the settings file. */
export function list(
  isItem: (item: string) => boolean,
  error: string,
  help: string,
  texts: Texts = {},
): Setting<readonly string[] | undefined> {
  const schema = z
    .union([z.string().transform((items) => items.split(',')), z.array(z.string())])
    .pipe(z.array(z.string().trim().refine(isItem, error)))
    .optional();
  return { schema, argument: 'LIST', help, ...texts };
}

/** The FHIR base or another base of a service on the network. */
export function serviceUrl(defaultValue: string, help: string, texts: Texts = {}): Setting<string> {
  return { schema: baseUrl(), defaultValue, argument: 'URL', help, ...texts };
}

/** An http or https URL without query, fragment or user; without a slash at the end. */
export function baseUrl() {
  return z
    .string()
    .refine(isBaseUrl, 'must be an http or https URL without query, fragment or user')
    .transform(normalBaseUrl);
}

export function secret(
  pattern: RegExp,
  error: string,
  help: string,
  texts: Texts = {},
): Setting<string | undefined> {
  const schema = z.string().regex(pattern, error).optional();
  return { schema, argument: 'TEXT', help, isSecret: true, ...texts };
}

/** The address of a database server. It may list several hosts, so it need not be a valid URL. */
export function databaseUrl(help: string, texts: Texts = {}): Setting<string | undefined> {
  const schema = z
    .string()
    .regex(/^postgres(?:ql)?:\/\/\S+$/, 'must be a URL that begins with postgres://')
    .optional();
  return { schema, argument: 'URL', help, shown: withoutPassword, ...texts };
}

/** A time of the day, `HH:MM`. */
export function timeOfDay(defaultValue: string, help: string, texts: Texts = {}): Setting<string> {
  const schema = z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of the day, such as 03:00');
  return { schema, defaultValue, argument: 'HH:MM', help, ...texts };
}

/** An address of the issuer of tokens. */
export function issuerUrl(help: string, texts: Texts = {}): Setting<string | undefined> {
  const error = 'must be an https URL, or an http URL of this machine, without user and fragment';
  return {
    schema: z.string().refine(isIssuerUrl, error).optional(),
    argument: 'URL',
    help,
    ...texts,
  };
}

function nonEmpty(): z.ZodString {
  const error = 'must not be empty';
  return z.string({ error }).min(1, { error });
}

function wholeSchema(min: number, max: number): z.ZodInt {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.int({ error }).min(min, { error }).max(max, { error });
}

function rangeText(min: number, max: number): string {
  // Formats like `toLocaleString`, which would first load the data of all languages.
  const format = (value: number) => `${value}`.replace(/\B(?=(?:\d{3})+$)/g, ',');
  return max === Number.MAX_SAFE_INTEGER
    ? `${format(min)} or more`
    : `${format(min)} to ${format(max)}`;
}
