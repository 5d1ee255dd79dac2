/** An interface of the directory, as the page about the API lists it. */

import type { ServedFace } from '../../directory/served-face.ts';
import type { PlainService, Service } from '../../fhir/service/interaction.ts';

export interface DirectoryInterface extends Pick<Service, 'name' | 'description' | 'baseUrl'> {
  /** The description of its services for programs, if it has one. */
  readonly metadataUrl?: string;
}

export function interfaceOf({ face, baseUrl }: ServedFace): DirectoryInterface {
  return {
    name: face.title,
    description: face.description,
    baseUrl,
    metadataUrl: `${baseUrl}/metadata`,
  };
}

export function plainInterfaceOf({
  title,
  description,
  baseUrl,
}: PlainService): DirectoryInterface {
  return { name: title, description, baseUrl };
}
