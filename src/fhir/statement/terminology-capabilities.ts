/**
 * The terminology capabilities of a service: its code systems, and the parameters of `$expand`.
 * https://hl7.org/fhir/R4/terminologycapabilities.html
 */
import type { AnyResource } from '../format/resource.ts';
import type { Service, Software } from '../service/interaction.ts';

/** The URLs of the code systems whose codes the operations of the service know. */
export function codeSystemsOf({ types }: Service): readonly string[] {
  return types.flatMap(({ codeSystems = [] }) => codeSystems);
}

/** Without versions of the code systems, because these change with the data. */
export function terminologyCapabilities(service: Service, software: Software): AnyResource {
  const { name, description, baseUrl } = service;
  const hasSubsumption = hasOperation(service, '$subsumes');
  return {
    resourceType: 'TerminologyCapabilities',
    url: `${baseUrl}/metadata?mode=terminology`,
    version: software.version,
    name: `${name}Terminology`,
    status: 'active',
    date: software.releaseDate,
    description,
    kind: 'instance',
    software: { name: software.name, version: software.version },
    implementation: { description, url: baseUrl },
    codeSystem: codeSystemsOf(service).map((uri) => ({ uri, subsumption: hasSubsumption })),
    expansion: {
      hierarchical: false,
      paging: true,
      incomplete: false,
      parameter: expandParameters(service).map(({ name, documentation }) => ({
        name,
        documentation,
      })),
      textFilter: 'A code matches if each word of the filter is in the code or the display.',
    },
    validateCode: { translations: false },
  };
}

function hasOperation({ types }: Service, name: string): boolean {
  return types.some(({ interactions }) => interactions.some(({ path }) => path.endsWith(name)));
}

function expandParameters({ types }: Service) {
  const interactions = types.flatMap((type) => type.interactions);
  return interactions.find(({ path }) => path === '[type]/$expand')?.parameters ?? [];
}
