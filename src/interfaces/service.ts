/** A face of the directory as a FHIR service: read by code, and search. */

import type { Service } from '../fhir/service/interaction.ts';
import { capabilities } from '../fhir/statement/capabilities.ts';
import { directoryAnswers } from './answer/answer-options.ts';
import { currentOf, type Editions, longAnswersOf } from './answer/editions.ts';

import { definitionType } from './faces/definition-type.ts';
import { organizationType } from './faces/organization-type.ts';
import type { ServedFace } from './faces/rendered-edition.ts';
import { currentEditionDownload } from './files/downloads.ts';
import type { EditionFiles } from './files/edition-files.ts';
import { currentReleaseDownload } from './files/release-download.ts';
import { currentTablesDownloads } from './files/table-download.ts';

/** Without `editionFiles`, the service has no files for analysis. */
export function createDirectoryService(
  served: ServedFace,
  editions: Editions,
  editionFiles?: EditionFiles,
): Service {
  const { face, settings, serverUrl, baseUrl } = served;
  const current = () => served.render(currentOf(editions));
  const longAnswers = longAnswersOf(editions);
  const jsonForm = face.jsonFormOf(settings);
  const { downloadPath, releasePath, tablesPath } = face;
  return {
    name: face.name,
    title: face.title,
    description: face.description,
    ...(face.instantiates !== undefined && { instantiates: face.instantiates }),
    version: face.version,
    ...(face.examples !== undefined && { examples: face.examples }),
    serverUrl,
    baseUrl,
    defaultFormat: 'json',
    interactions: [capabilities],
    types: [
      organizationType(served, editions),
      ...(face.furtherTypes?.({
        settings,
        baseUrl,
        editions,
        organizationAt: (edition, row) => served.render(edition).organizationAt(row),
        fingerprintOf: (edition) => served.render(edition).fingerprint,
      }) ?? []),
      ...face
        .definitionTypes(settings)
        .map((type) => definitionType(type, served, current, longAnswers)),
    ],
    ...(face.errorDetails !== undefined && { errorDetails: face.errorDetails }),
    ...(face.outcomeProfile !== undefined && { outcomeProfile: face.outcomeProfile }),
    ...(jsonForm.outcome !== undefined && { outcomeJson: jsonForm.outcome }),
    ...directoryAnswers(settings),
    downloads: [
      ...(downloadPath
        ? [currentEditionDownload(serverUrl + downloadPath, current, longAnswers)]
        : []),
      ...(releasePath
        ? [currentReleaseDownload(serverUrl + releasePath, current, longAnswers, editionFiles)]
        : []),
      ...(tablesPath && editionFiles
        ? currentTablesDownloads(serverUrl + tablesPath, current, editionFiles, longAnswers)
        : []),
    ],
  };
}
