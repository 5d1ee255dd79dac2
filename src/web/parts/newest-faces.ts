/** The interfaces of the directory in the order of their FHIR versions. */
import type { DirectoryInterface } from './web-options.ts';

/** The newest FHIR version first. */
export function inOrder(interfaces: readonly DirectoryInterface[]): readonly DirectoryInterface[] {
  return interfaces.toSorted((a, b) =>
    (b.sample?.version ?? '').localeCompare(a.sample?.version ?? ''),
  );
}

/** The interfaces of FHIR, the newest version first. Of two of the same version, the first one. */
export function newestFaces(
  interfaces: readonly DirectoryInterface[],
): readonly DirectoryInterface[] {
  const faces = inOrder(interfaces).filter(({ sample }) => sample !== undefined);
  return faces.filter(
    ({ sample }, i) => i === faces.findIndex((each) => each.sample?.version === sample?.version),
  );
}
