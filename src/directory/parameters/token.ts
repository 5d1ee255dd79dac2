/** Codes, identifiers, active and roles: https://hl7.org/fhir/STU3/search.html#token */
import type { Issue } from '../../fhir/fhir-error.ts';
import type { ParameterContext } from '../parameters.ts';
import type { Criterion } from '../query.ts';
import type { Alternative } from './alternatives.ts';

/** `_id`: the code as it is. */
export function parseCode(alternatives: readonly Alternative[]): Criterion | Issue[] {
  return collect(
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
): Criterion | Issue[] {
  const system = settings.organizationCodeSystem;
  return collect(
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

export function parseActive(alternatives: readonly Alternative[]): Criterion | Issue[] {
  return collect(
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
): Criterion | Issue[] {
  return collect(
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

export function parsePrimaryRole(value: string): { value: boolean } | { issue: Issue } {
  if (value === 'true' || value === 'false') return { value: value === 'true' };
  return {
    issue: {
      kind: 'invalid-value',
      diagnostics: 'Invalid FHIR ods-org-primaryRole parameter. Must be true or false.',
      location: 'http.ods-org-primaryRole',
    },
  };
}

const ALPHANUMERIC = /^[A-Za-z0-9]+$/;
const ROLE = /^(?:RO)?([0-9]+)$/;

type Parsed<T> = { readonly value: T } | { readonly issue: Issue };

/** The criterion of all values, or what is wrong with each of the others. */
function collect<T>(
  alternatives: readonly Alternative[],
  parse: (alternative: Alternative) => Parsed<T>,
  criterionOf: (values: T[]) => Criterion,
): Criterion | Issue[] {
  const parsed = alternatives.map(parse);
  const issues = parsed.flatMap((one) => ('issue' in one ? [one.issue] : []));
  if (issues.length > 0) return issues;
  return criterionOf(parsed.flatMap((one) => ('value' in one ? [one.value] : [])));
}

function refused(kind: Issue['kind'], diagnostics: string): { issue: Issue } {
  return { issue: { kind, diagnostics } };
}
