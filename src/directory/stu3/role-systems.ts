/** The systems that codes of roles may have in requests and in sources. */
import type { DirectorySettings } from '../settings.ts';

/** The configured system, the system of the source's server if there is one, and the spellings in use. */
export function roleSystemsOf(settings: DirectorySettings, baseUrl?: string): ReadonlySet<string> {
  return new Set([
    settings.roleSystem,
    ...(baseUrl === undefined ? [] : [`${baseUrl}/CodeSystem/${NAME}`]),
    `https://directory.spineservices.nhs.uk/STU3/CodeSystem/${NAME}`,
    `https://directory.spineservices.nhs.uk/STU3/STU3/CodeSystem/${NAME}`,
    `https://fhir.nhs.uk/FHIR/STU3/CodeSystem/${NAME}`,
    `https://fhir.nhs.uk/STU3/${NAME}`,
  ]);
}

const NAME = 'ODSAPI-OrganizationRole-1';
