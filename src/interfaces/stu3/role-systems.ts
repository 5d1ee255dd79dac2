/** The systems that codes of roles may have in requests and in sources. */
import type { DirectorySettings } from '../answer/settings.ts';

/** The configured system, the systems of both faces of the server, and the spellings in use. */
export function roleSystemsOf(
  settings: DirectorySettings,
  serverUrl?: string,
): ReadonlySet<string> {
  const paths = serverUrl === undefined ? [] : [settings['stu3.path'], settings.legacyPath];
  return new Set([
    settings.roleSystem,
    ...paths.map((path) => `${serverUrl}${path}/CodeSystem/${NAME}`),
    ...NATIONAL_HOSTS.flatMap((host) => [
      `https://${host}/STU3/CodeSystem/${NAME}`,
      `https://${host}/STU3/STU3/CodeSystem/${NAME}`,
    ]),
    `https://fhir.nhs.uk/FHIR/STU3/CodeSystem/${NAME}`,
    `https://fhir.nhs.uk/STU3/${NAME}`,
  ]);
}

const NAME = 'ODSAPI-OrganizationRole-1';

/** The retired national service, and its environment for tests. */
const NATIONAL_HOSTS = ['directory.spineservices.nhs.uk', 'uat.directory.spineservices.nhs.uk'];
