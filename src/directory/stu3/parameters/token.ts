/** Codes, identifiers, active and roles: https://hl7.org/fhir/STU3/search.html#token */
import type { Criterion } from '../../query.ts';
import type { Alternative } from './alternatives.ts';
import type { ParameterContext } from './context.ts';
import { type Parsed, parseEach, refused } from './parsed.ts';

/** `_id`: the code as it is. */
export function parseCode(alternatives: readonly Alternative[]): Parsed<Criterion> {
  return parseEach(
    alternatives,
    (parts) => {
      const [code = '', ...others] = parts;
      const isCode = ALPHANUMERIC.test(code) && others.length === 0;
      if (isCode) return { value: code };
      return refused('invalid-value', 'Supplied _id must be just alphanumeric characters.');
    },
    (values) => ({ kind: 'code', values, ignoreCase: false }),
  );
}

/** `identifier`: the code whatever its case, with or without the system of organisation codes. */
export function parseIdentifier(
  alternatives: readonly Alternative[],
  _modifier: string,
  { settings }: ParameterContext,
): Parsed<Criterion> {
  const system = settings.organizationCodeSystem;
  return parseEach(
    alternatives,
    (parts) => {
      const [first = '', second, ...others] = parts;
      if (second !== undefined && first !== system) {
        return refused(
          'invalid-identifier-system',
          `Invalid identifier system. Should be ${system}.`,
        );
      }
      const code = second ?? first;
      const isCode = ALPHANUMERIC.test(code) && others.length === 0;
      if (isCode) return { value: code };
      return refused(
        'invalid-identifier-value',
        'Supplied identifier must be just alphanumeric characters.',
      );
    },
    (values) => ({ kind: 'code', values, ignoreCase: true }),
  );
}

export function parseActive(alternatives: readonly Alternative[]): Parsed<Criterion> {
  return parseEach(
    alternatives,
    (parts) => {
      const [value, ...others] = parts;
      if (others.length === 0 && value === 'true') return { value: true };
      if (others.length === 0 && value === 'false') return { value: false };
      return refused('invalid-value', 'Invalid FHIR active parameter');
    },
    (values) => ({ kind: 'active', values }),
  );
}

/** `ods-org-role`: digits, with or without `RO` before them and one of the systems of roles. */
export function parseRole(
  alternatives: readonly Alternative[],
  _modifier: string,
  { settings, roleSystems }: ParameterContext,
): Parsed<Criterion> {
  return parseEach(
    alternatives,
    (parts) => {
      const [first = '', second, ...others] = parts;
      if (second !== undefined && !roleSystems.has(first)) {
        return refused(
          'invalid-code-system',
          `Invalid ods-org-role parameter. Should be ${settings.roleSystem}.`,
        );
      }
      const code = ROLE.exec(second ?? first)?.[1];
      if (code !== undefined && others.length === 0) return { value: code };
      return refused('invalid-code-value', 'Invalid FHIR ods-org-role parameter');
    },
    (values) => ({ kind: 'role', values }),
  );
}

export function parsePrimaryRole(value: string): Parsed<boolean> {
  if (value === 'true' || value === 'false') return { value: value === 'true' };
  return refused(
    'invalid-value',
    'Invalid FHIR ods-org-primaryRole parameter. Must be true or false.',
  );
}

const ALPHANUMERIC = /^[A-Za-z0-9]+$/;
const ROLE = /^(?:RO)?([0-9]+)$/;
