/** Codes, identifiers, active and roles: https://hl7.org/fhir/STU3/search.html#token */
import type { Alternative } from '../../../fhir/search/alternatives.ts';
import { type Parsed, parseEach, refused } from '../../../fhir/search/parsed.ts';
import { parseToken, type TokenRule } from '../../../fhir/search/token.ts';
import type { Criterion } from '../../query.ts';
import type { ParameterContext } from './context.ts';

/** `_id`: the code as it is. */
export function parseCode(alternatives: readonly Alternative[]): Parsed<Criterion> {
  return parseCodes(alternatives, CODE, (values) => ({ kind: 'code', values, ignoreCase: false }));
}

/** `identifier`: the code whatever its case, with or without the system of organisation codes. */
export function parseIdentifier(
  alternatives: readonly Alternative[],
  _modifier: string,
  { settings }: ParameterContext,
): Parsed<Criterion> {
  const system = settings.organizationCodeSystem;
  const rule: TokenRule = {
    systems: new Set([system]),
    otherSystem: {
      kind: 'invalid-identifier-system',
      diagnostics: `Invalid identifier system. Should be ${system}.`,
    },
    code: ALPHANUMERIC,
    otherCode: {
      kind: 'invalid-identifier-value',
      diagnostics: 'Supplied identifier must be just alphanumeric characters.',
    },
  };
  return parseCodes(alternatives, rule, (values) => ({ kind: 'code', values, ignoreCase: true }));
}

export function parseActive(alternatives: readonly Alternative[]): Parsed<Criterion> {
  return parseCodes(alternatives, ACTIVE, (values) => ({
    kind: 'active',
    values: values.map((value) => value === 'true'),
  }));
}

/** `ods-org-role`: digits, with or without `RO` before them and one of the systems of roles. */
export function parseRole(
  alternatives: readonly Alternative[],
  _modifier: string,
  { settings, roleSystems }: ParameterContext,
): Parsed<Criterion> {
  const rule: TokenRule = {
    systems: roleSystems,
    otherSystem: {
      kind: 'invalid-code-system',
      diagnostics: `Invalid ods-org-role parameter. Should be ${settings.roleSystem}.`,
    },
    code: /^(?:RO)?([0-9]+)$/,
    otherCode: { kind: 'invalid-code-value', diagnostics: 'Invalid FHIR ods-org-role parameter' },
  };
  return parseCodes(alternatives, rule, (values) => ({ kind: 'role', values }));
}

export function parsePrimaryRole(value: string): Parsed<boolean> {
  if (value === 'true' || value === 'false') return { value: value === 'true' };
  return refused(
    'invalid-value',
    'Invalid FHIR ods-org-primaryRole parameter. Must be true or false.',
  );
}

function parseCodes(
  alternatives: readonly Alternative[],
  rule: TokenRule,
  combine: (codes: readonly string[]) => Criterion,
): Parsed<Criterion> {
  return parseEach(
    alternatives,
    (parts) => parseToken(parts, rule),
    (values) => combine(values.map(({ code = '' }) => code)),
  );
}

const ALPHANUMERIC = /^([A-Za-z0-9]+)$/;

const CODE = withoutSystem(ALPHANUMERIC, 'Supplied _id must be just alphanumeric characters.');
const ACTIVE = withoutSystem(/^(true|false)$/, 'Invalid FHIR active parameter');

function withoutSystem(code: RegExp, diagnostics: string): TokenRule {
  const refusal = { kind: 'invalid-value', diagnostics } as const;
  return { systems: new Set(), otherSystem: refusal, code, otherCode: refusal };
}
