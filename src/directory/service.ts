/** A face of the directory as a FHIR service: read by code, and search. */
import { hash } from 'node:crypto';
import { encodeBody } from '../fhir/encode-body.ts';
import type { ServedType, Service, TypeContext } from '../fhir/interaction.ts';
import { capabilities } from '../fhir/interactions/capabilities.ts';
import { read } from '../fhir/interactions/read.ts';
import type { Form } from '../fhir/negotiate.ts';
import type { Representation } from '../fhir/representation.ts';
import { SPINE_ERRORS } from '../nhs/spine-errors.ts';
import { directoryAnswers } from './answer-options.ts';
import { currentEditionDownload } from './current-edition.ts';
import { currentOf, type Editions } from './editions.ts';
import type { DefinitionType } from './face.ts';
import { organizationType } from './organization-type.ts';
import type { RenderedEdition } from './rendered-edition.ts';
import type { ServedFace } from './served-face.ts';

export function createDirectoryService(served: ServedFace, editions: Editions): Service {
  const { face, settings, serverUrl, baseUrl } = served;
  const current = () => served.render(currentOf(editions));
  const jsonForm = face.jsonFormOf(settings);
  const { downloadPath } = face;
  return {
    name: face.name,
    description: face.description,
    ...(face.instantiates === undefined ? {} : { instantiates: face.instantiates }),
    version: face.version,
    serverUrl,
    baseUrl,
    defaultFormat: 'json',
    interactions: [capabilities],
    types: [
      organizationType(served, editions),
      ...face.definitionTypes(settings).map((type) => definitionType(type, served, current)),
    ],
    errorDetails: SPINE_ERRORS,
    ...(face.outcomeProfile === undefined ? {} : { outcomeProfile: face.outcomeProfile }),
    ...(jsonForm.outcome === undefined ? {} : { outcomeJson: jsonForm.outcome }),
    ...directoryAnswers(settings),
    downloads:
      downloadPath === undefined ? [] : [currentEditionDownload(serverUrl + downloadPath, current)],
  };
}

function definitionType(
  type: DefinitionType,
  { face }: ServedFace,
  current: () => RenderedEdition,
): ServedType {
  const { name, documentation, notFound } = type;
  const { definitions } = face.version;
  const readDefinition = ({ id }: TypeContext, form: Form): Representation | undefined => {
    if ('resources' in type) {
      const fixed = type.resources.get(id);
      if (fixed === undefined) return undefined;
      const body = encodeBody(fixed, form, definitions);
      return { etag: `W/"${hash('sha256', body).slice(0, 16)}"`, body: () => body };
    }
    const { edition, fingerprint, publishedDate } = current();
    const resource = type.resourceOf(id, edition);
    if (resource === undefined) return undefined;
    return {
      etag: `W/"${fingerprint.slice(0, 16)}-${form.format}"`,
      lastModified: publishedDate,
      body: () => encodeBody(resource, form, definitions),
    };
  };
  const ids = 'resources' in type ? [...type.resources.keys()] : type.ids;
  return {
    name,
    documentation,
    notFound,
    ids,
    interactions: [read],
    read: readDefinition,
  };
}
