/** The maximum number of resources of a type, and the error if a write exceeds it. */
import { FhirError } from '../request/fhir-error.ts';

/** The maximum number of resources of a type. Deleted and erased ones do not count. */
export interface CountLimits {
  readonly total: number;
  /** The maximum for the resources that one client created. */
  readonly perClient: number;
}

/** The limits of a type, and the names of the settings that have them. */
export interface CountRule {
  readonly max: CountLimits;
  readonly settings: Readonly<Record<keyof CountLimits, string>>;
}

/** The write would exceed this limit. */
export interface TooMany {
  readonly kind: 'too-many';
  readonly limit: keyof CountLimits;
}

export function tooManyError(
  type: string,
  { limit }: TooMany,
  rule: CountRule | undefined,
): FhirError {
  if (rule === undefined) throw new Error(`the type ${type} has no limits`);
  const whose = limit === 'total' ? 'This server has' : 'This client has created';
  return FhirError.of(
    'rule-broken',
    `${whose} ${rule.max[limit]} resources of the type ${type}, which is the maximum. ` +
      `Delete one that is no longer needed, or ask the operator to raise ${rule.settings[limit]}.`,
  );
}
