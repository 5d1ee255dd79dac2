/** The interfaces of the directory, in the order in which pages show them. */
import type { Service } from '../../fhir/service/interaction.ts';

/** An interface of the directory, as the page about the API lists it. */
export interface DirectoryInterface extends Pick<Service, 'name' | 'description' | 'baseUrl'> {
  /** The description of its services for programs, if it has one. */
  readonly metadataUrl?: string;
  /** What samples of requests name, if it is FHIR. */
  readonly sample?: {
    /** The name of the FHIR version: `R4`. */
    readonly name: string;
    /** The number of the FHIR version: `4.0.1`. */
    readonly version: string;
    readonly xmlType: string;
    /** See `DirectoryFace`. */
    readonly hapiContext: string;
  };
}

/** The newest FHIR version first. */
export function newestFirstOf(
  interfaces: readonly DirectoryInterface[],
): readonly DirectoryInterface[] {
  return interfaces.toSorted((a, b) =>
    (b.sample?.version ?? '').localeCompare(a.sample?.version ?? ''),
  );
}

/** The interfaces of FHIR, the newest version first. Of two of the same version, the first one. */
export function newestFaces(
  interfaces: readonly DirectoryInterface[],
): readonly DirectoryInterface[] {
  const faces = newestFirstOf(interfaces).filter(({ sample }) => sample !== undefined);
  return faces.filter(
    ({ sample }, i) => i === faces.findIndex((each) => each.sample?.version === sample?.version),
  );
}
