/** The parameters that add resources of other types: https://hl7.org/fhir/R4/search.html#include */
import type { ResultParameter } from '../../fhir/search/parameter.ts';
import { refused } from '../../fhir/search/parsed.ts';

/** Which references between affiliations and organisations a search follows. */
export interface IncludeOptions {
  readonly includes: readonly AffiliationReference[];
}

/** The search parameters of OrganizationAffiliation that are references to an Organization. */
export const AFFILIATION_REFERENCES = [
  'primary-organization',
  'participating-organization',
] as const;
export type AffiliationReference = (typeof AFFILIATION_REFERENCES)[number];

/** The values as the capability statement lists them. */
export const INCLUDES: readonly string[] = AFFILIATION_REFERENCES.map(
  (name) => `OrganizationAffiliation:${name}`,
);

/** `_include` follows the references of the matches; `_revinclude` those of others to the matches. */
export function includeParameter(
  name: '_include' | '_revinclude',
  documentation: string,
): ResultParameter<IncludeOptions> {
  return {
    kind: 'result',
    name,
    type: 'string',
    modifiers: [],
    documentation,
    isCriterion: false,
    isRepeatable: true,
    parse: (text, _context, { options: { includes = [] } }) => {
      const wanted = text.replace(/:Organization$/, '');
      const at = INCLUDES.indexOf(wanted);
      const reference = AFFILIATION_REFERENCES[at];
      if (reference !== undefined) return { value: { includes: [...includes, reference] } };
      return refused(
        'invalid-value',
        `${name} cannot be "${text}". Send ${INCLUDES.join(' or ')}.`,
      );
    },
  };
}
