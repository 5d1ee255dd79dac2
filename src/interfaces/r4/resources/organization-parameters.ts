/**
 * The search parameters of a relationship that name an organisation, in the forms that clients send:
 * a code, an address, and `system|code`.
 */

import { trimPasted } from '../../../directory/edition/source-record.ts';
import { type CriterionParameter, criterionParameter } from '../../../fhir/search/parameter.ts';
import { type Alternative, type Parsed, parseEach, refused } from '../../../fhir/search/parsed.ts';
import {
  parseReference,
  type ReferenceCriterion,
  type ReferenceValue,
} from '../../../fhir/search/reference.ts';
import type { DirectorySettings } from '../../answer/settings.ts';

interface OrganizationContext {
  readonly settings: Pick<DirectorySettings, 'organizationCodeSystem'>;
  readonly baseUrl: string;
}

type OrganizationParameter<Field extends string> = CriterionParameter<
  ReferenceCriterion<Field>,
  OrganizationContext
>;

/**
 * A reference, and the identifier of the organisation that it leads to, which clients of HAPI FHIR
 * send. `what` begins the sentence of the documentation.
 */
export function organizationParameters<Field extends 'source' | 'target'>(
  name: string,
  field: Field,
  what: string,
): readonly OrganizationParameter<Field>[] {
  const refusal = refused(
    'invalid-value',
    `${name} is empty. Send the code of an organisation, or its address.`,
  );
  const parse =
    (parseOne: (parts: Alternative, context: OrganizationContext) => Parsed<ReferenceValue>) =>
    (alternatives: readonly Alternative[], _modifier: string, context: OrganizationContext) =>
      parseEach(
        alternatives.map((parts) => parts.map(trimPasted)),
        (parts) => (parts.join('') === '' ? refusal : inCapitals(parseOne(parts, context))),
        (values) => ({ type: 'reference' as const, field, values }),
      );
  return [
    criterionParameter(
      {
        name,
        type: 'reference',
        targets: ['Organization'],
        modifiers: ['identifier'],
        documentation: `${what}: its code in any case, with or without its system, or its address.`,
      },
      parse((parts, context) =>
        parts.length > 1
          ? identified(parts, context)
          : parseReference(parts, { types: ['Organization'], baseUrl: context.baseUrl }),
      ),
    ),
    criterionParameter(
      {
        name: `${name}.identifier`,
        type: 'token',
        chain: ['Organization'],
        documentation: `${what}: its code in any case, with or without its system.`,
      },
      parse(identified),
    ),
  ];
}

/** As in `identifier` of an Organization and in a read, the case of a code does not matter. */
function inCapitals(parsed: Parsed<ReferenceValue>): Parsed<ReferenceValue> {
  if ('issues' in parsed) return parsed;
  return { value: { ...parsed.value, id: parsed.value.id.toUpperCase() } };
}

/** A code of another system matches nothing. */
function identified(parts: Alternative, { settings }: OrganizationContext): Parsed<ReferenceValue> {
  const [code = '', system, ...others] = parts.toReversed();
  const isOwn = system === undefined || system === settings.organizationCodeSystem;
  return { value: { id: code, prefixes: isOwn && others.length === 0 ? ['Organization/'] : [] } };
}
