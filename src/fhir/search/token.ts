/**
 * Search parameters of type token: codes, with the system that defines them.
 * https://hl7.org/fhir/STU3/search.html#token
 */

import { type FhirValue, isObject } from '../format/resource.ts';
import type { ErrorKind } from '../request/fhir-error.ts';
import { isList } from './elements-at.ts';
import { type CriterionParameter, criterionParameter } from './parameter.ts';
import { type Alternative, type Parsed, parseEach, refused } from './parsed.ts';

/** One coded value of a resource, as an index holds it. */
export interface TokenEntry {
  readonly system?: string;
  readonly code: string;
}

/** One value to search for. */
export interface TokenValue {
  /** Absent: the system does not matter. Empty: the code must have no system. */
  readonly system?: string;
  /** Absent: every code of the system matches. */
  readonly code?: string;
}

/** Matches a resource if one entry of its field matches one of the values. */
export interface TokenCriterion<Field extends string = string> {
  readonly type: 'token';
  readonly field: Field;
  readonly values: readonly TokenValue[];
  /** Whether the case of codes does not matter. */
  readonly ignoreCase?: boolean;
}

/**
 * Matches every resource that the other criterion does not match, for the modifier `:not`.
 * https://hl7.org/fhir/R4/search.html#modifiers
 */
export interface NotCriterion<C> {
  readonly type: 'not';
  readonly criterion: C;
}

/**
 * The entries of an element: an Identifier, Coding or CodeableConcept, a primitive, or a list of
 * any of these. An element without a code has no entry.
 */
export function tokenEntries(element: FhirValue | undefined): TokenEntry[] {
  if (typeof element === 'string' || typeof element === 'boolean') {
    return [{ code: String(element) }];
  }
  if (isList(element)) return element.flatMap(tokenEntries);
  if (!isObject(element)) return [];
  const { coding, system, code, value } = element;
  if (coding !== undefined) return tokenEntries(coding);
  // A Coding has a code, an Identifier has a value.
  const text = code ?? value;
  if (typeof text !== 'string') return [];
  return [typeof system === 'string' ? { system, code: text } : { code: text }];
}

/** The texts about the codes of an element, which the modifier `:text` searches. */
export function tokenTexts(element: FhirValue | undefined): string[] {
  if (isList(element)) return element.flatMap(tokenTexts);
  if (!isObject(element)) return [];
  const { coding, text, display, type } = element;
  return [text, display, isObject(type) ? type.text : undefined]
    .filter((each) => typeof each === 'string')
    .concat(tokenTexts(coding));
}

export function matchesToken(
  { system: ownSystem = '', code: ownCode }: TokenEntry,
  { system, code }: TokenValue,
  ignoreCase: boolean,
): boolean {
  if (system !== undefined && system !== ownSystem) return false;
  if (code === undefined || code === ownCode) return true;
  return ignoreCase && code.toLowerCase() === ownCode.toLowerCase();
}

/** `code`, `system|code`, `|code` or `system|`. Returns undefined for any other form. */
export function tokenValueOf([first = '', second, ...others]: Alternative): TokenValue | undefined {
  if (others.length > 0) return undefined;
  if (second === undefined) return first === '' ? undefined : { code: first };
  if (second !== '') return { system: first, code: second };
  return first === '' ? undefined : { system: first };
}

/** The values that a parameter accepts if all its codes have one system. */
export interface TokenRule {
  /**
   * The names of that system that a value may have before its pipe. The index holds no systems,
   * so the criterion has none either.
   */
  readonly systems: ReadonlySet<string>;
  /** Absent: FHIR's rule, by which a value with another system matches nothing. */
  readonly otherSystem?: TokenRefusal;
  /** The form of a code. Its first group is the code to search for. */
  readonly code: RegExp;
  /** The form of a code after its system, if the systems have different codes. `system|` keeps it then. */
  readonly codeIn?: ReadonlyMap<string, RegExp>;
  /** How the index has a code that clients may write in several ways. */
  readonly normalize?: (code: string) => string;
  /** Absent: a value of another form matches nothing, and `system|` matches every code of the system. */
  readonly otherCode?: TokenRefusal;
}

export interface TokenRefusal {
  readonly kind: ErrorKind;
  readonly diagnostics: string;
  /** What the client may have meant by the code. */
  readonly hintOf?: (code: string) => string | undefined;
}

/** The rule of a parameter whose values are codes without a system. */
export function plainCode(code: RegExp, diagnostics: string): TokenRule {
  const refusal = { kind: 'invalid-value', diagnostics } as const;
  return { systems: new Set(), otherSystem: refusal, code, otherCode: refusal };
}

/** True or false in any case. */
export function booleanCode(diagnostics: string): TokenRule {
  const code = /^(true|false)$/i;
  return { ...plainCode(code, diagnostics), normalize: (written) => written.toLowerCase() };
}

interface TokenOptions<Field extends string, Context> {
  readonly name: string;
  readonly field: Field;
  readonly documentation: string;
  readonly ignoreCase?: true;
  readonly rule: TokenRule | ((context: Context) => TokenRule);
}

/** `canNegate`: it has the modifier `:not`. */
export function tokenParameter<Field extends string, Context = unknown>(
  options: TokenOptions<Field, Context> & { readonly canNegate: true },
): CriterionParameter<
  TokenCriterion<Field> | NotCriterion<TokenCriterion<Field>>,
  NoInfer<Context>
>;
export function tokenParameter<Field extends string, Context = unknown>(
  options: TokenOptions<Field, Context>,
): CriterionParameter<TokenCriterion<Field>, NoInfer<Context>>;
export function tokenParameter<Field extends string, Context>({
  name,
  field,
  documentation,
  ignoreCase,
  canNegate = false,
  rule,
}: TokenOptions<Field, Context> & { readonly canNegate?: boolean }): CriterionParameter<
  TokenCriterion<Field> | NotCriterion<TokenCriterion<Field>>,
  Context
> {
  const always = { type: 'token', field, ...(ignoreCase && { ignoreCase }) } as const;
  return criterionParameter(
    { name, type: 'token', modifiers: canNegate ? [NOT] : [], documentation },
    (alternatives, modifier, context) => {
      const known = typeof rule === 'function' ? rule(context) : rule;
      return parseEach(
        alternatives,
        (parts) => parseToken(parts, known, name),
        (found) => {
          const values = found.filter((value) => value !== undefined);
          const criterion = { ...always, values };
          return modifier === NOT ? { type: 'not', criterion } : criterion;
        },
      );
    },
  );
}

/** https://hl7.org/fhir/R4/search.html#modifiers */
const NOT = 'not';

/** The value is undefined if it matches nothing. */
function parseToken(
  parts: Alternative,
  rule: TokenRule,
  name: string,
): Parsed<TokenValue | undefined> {
  const [first = '', second, ...others] = parts;
  const { otherSystem, otherCode } = rule;
  if (otherCode === undefined && parts.join('') === '') {
    return refused('invalid-value', `${name} is empty. Send a code.`);
  }
  if (second !== undefined && !rule.systems.has(first)) {
    if (otherSystem === undefined) return { value: undefined };
    return refused(otherSystem.kind, otherSystem.diagnostics);
  }
  if (second === '' && others.length === 0 && otherCode === undefined) {
    return { value: rule.codeIn === undefined ? {} : { system: first } };
  }
  const form = (second !== undefined && rule.codeIn?.get(first)) || rule.code;
  const code = others.length === 0 ? form.exec(second ?? first)?.[1] : undefined;
  if (code !== undefined) return { value: { code: rule.normalize?.(code) ?? code } };
  if (otherCode === undefined) return { value: undefined };
  const { kind, diagnostics, hintOf } = otherCode;
  const sent = second ?? first;
  return refused(kind, diagnostics, sent.trim() === '' ? undefined : hintOf?.(sent));
}
