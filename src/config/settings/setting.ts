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
  /** The help text: one phrase without a full stop. */
  readonly help: string;
  /** The value is never shown, and there is no flag, because other users can see flags. */
  readonly isSecret?: true;
  /** The value is the path of a file that must exist. */
  readonly isFile?: true;
  /** The same for a folder. */
  readonly isFolder?: true;
  /** For a value that can contain a secret: the part that may be shown. */
  readonly shown?: (value: string) => string;
}

/** A builder of settings of one kind, which have a default. */
export function withDefault<T>(
  schema: z.ZodType<T>,
  argument: string,
): (defaultValue: T, help: string) => Setting<T> {
  return (defaultValue: T, help: string): Setting<T> => ({ schema, defaultValue, argument, help });
}

/** A builder of settings of one kind, which are `undefined` by default. `unset`: what then applies. */
export function optional<T>(
  schema: z.ZodType<T>,
  argument: string,
  kind: Pick<Setting, 'isSecret' | 'isFile' | 'isFolder' | 'shown'> = {},
): (help: string, unset?: string) => Setting<T | undefined> {
  return (help: string, unset?: string): Setting<T | undefined> => ({
    schema: schema.optional(),
    argument,
    help,
    ...kind,
    ...(unset !== undefined && { unset }),
  });
}

/** A text of a form. `error` follows the name of the setting in a message. */
export function matching(form: RegExp, error: string): z.ZodString {
  return z.string().regex(form, error);
}

function nonEmpty(): z.ZodString {
  return z.string({ error: 'must be a text' }).min(1, { error: 'must not be empty' });
}

export function text(defaultValue: string, argument: string, help: string): Setting<string> {
  return withDefault(nonEmpty(), argument)(defaultValue, help);
}

export function optionalText(
  argument: string,
  help: string,
  unset?: string,
): Setting<string | undefined> {
  return optional(nonEmpty(), argument)(help, unset);
}

/** A file that must exist. For a file that the program can create, use `optionalText`. */
export const file = optional(nonEmpty(), 'FILE', { isFile: true });

/** A folder that must exist. */
export const folder = optional(nonEmpty(), 'FOLDER', { isFolder: true });

/** A text without spaces, exactly as it is in a token. */
export function claim(argument: string, help: string, unset?: string): Setting<string | undefined> {
  const schema = matching(/^\S+$/, 'must be the text of the claim, without spaces');
  return optional(schema, argument)(help, unset);
}

export function whole(
  range: { readonly min: number; readonly max: number; readonly default: number },
  help: string,
): Setting<number> {
  return withDefault(wholeSchema(range.min, range.max), 'N')(range.default, help);
}

export function optionalWhole(
  min: number,
  max: number,
  help: string,
  unset?: string,
): Setting<number | undefined> {
  return optional(wholeSchema(min, max), 'N')(help, unset);
}

const RATIO = { error: 'must be a number from 0 to 1' };

export const ratio = withDefault(z.number(RATIO).min(0, RATIO).max(1, RATIO), 'N');

export const flag = withDefault(z.boolean({ error: 'must be true or false' }), 'true|false');

export function choice<const T extends string>(
  values: readonly [T, ...T[]],
  defaultValue: NoInfer<T>,
  help: string,
): Setting<T> {
  const schema: z.ZodType<T> = z.enum(values, { error: `must be one of ${values.join(', ')}` });
  return withDefault(schema, values.join('|'))(defaultValue, help);
}

/** A relative URI is valid too: the parts of an extension have such URLs. */
export const uri = withDefault(matching(/^\S+$/, 'must be a URI without spaces'), 'URI');

/** The path of an interface below the public address of the server. */
export const path = withDefault(
  z
    .string()
    .refine(isInterfacePath, 'must be a path such as /STU3 that no page of the server uses'),
  'PATH',
);

/** Texts separated by commas, or a JSON list in the settings file. */
export function list(
  isItem: (item: string) => boolean,
  error: string,
  help: string,
  unset?: string,
  kind: Pick<Setting, 'shown'> = {},
): Setting<readonly string[] | undefined> {
  const schema = z
    .union([z.string().transform((items) => items.split(',')), z.array(z.string())])
    .pipe(z.array(z.string().trim().refine(isItem, error)));
  return optional<readonly string[]>(schema, 'LIST', kind)(help, unset);
}

/** An http or https URL without query, fragment or user; without a slash at the end. */
const BASE_URL = z
  .string()
  .refine(isBaseUrl, 'must be an http or https URL without query, fragment or user')
  .transform(normalBaseUrl);

/** The FHIR base or another base of a service on the network. */
export const serviceUrl = withDefault(BASE_URL, 'URL');

export const optionalBaseUrl = optional(BASE_URL, 'URL');

/** The address of a database server. It may list several hosts, so it need not be a valid URL. */
export const databaseUrl = optional(
  matching(/^postgres(?:ql)?:\/\/\S+$/, 'must be a URL that begins with postgres://'),
  'URL',
  { shown: withoutPassword },
);

/** An address of the issuer of tokens. */
export const issuerUrl = optional(
  z
    .string()
    .refine(
      isIssuerUrl,
      'must be an https URL, or an http URL of this machine, without user and fragment',
    ),
  'URL',
);

function wholeSchema(min: number, max: number): z.ZodInt {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.int({ error }).min(min, { error }).max(max, { error });
}
