/** A coordinator of prescriptions, in TypeScript: where does a prescription go, and may it? */
import { type LegacyOrganization, legacyOrganization } from './legacy-payloads.ts';

export interface Destination {
  readonly code: string;
  readonly name: string;
  readonly isOpen: boolean;
  readonly kind: string | undefined;
  readonly postcode: string | undefined;
  readonly phone: string | undefined;
  readonly roles: readonly DestinationRole[];
}

export interface DestinationRole {
  readonly code: string;
  readonly isPrimary: boolean;
  readonly since: string | undefined;
  readonly status: string;
}

/** Reads one organisation; every element that FHIR repeats is a single object to this client. */
export async function findDestination(directory: string, code: string): Promise<Destination> {
  const response = await fetch(`${directory}/Organization/${code}`, {
    headers: { Accept: 'application/fhir+json' },
  });
  if (!response.ok) throw new Error(`${code}: ${response.status}`);
  const organization: LegacyOrganization = legacyOrganization.parse(await response.json());
  return {
    code: organization.identifier.value,
    name: organization.name,
    isOpen: organization.active,
    kind: organization.type?.coding.display,
    postcode: organization.address?.postalCode,
    phone: organization.telecom?.find(({ system }) => system === 'phone')?.value,
    roles: rolesOf(organization),
  };
}

/** By position: role, primaryRole, then the activePeriod where there is one, and status last. */
function rolesOf({ extension }: LegacyOrganization): DestinationRole[] {
  return extension.flatMap((one) => {
    if (!('extension' in one)) return [];
    const [role, primary, period] = one.extension;
    const status = one.extension[one.extension.length - 1];
    return [
      {
        code: role.valueCoding.code,
        isPrimary: primary.valueBoolean,
        since: 'valuePeriod' in period ? period.valuePeriod.start : undefined,
        status: status !== undefined && 'valueString' in status ? status.valueString : '',
      },
    ];
  });
}
