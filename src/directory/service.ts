/** A face of the directory as a FHIR service: read by code, and search. */

import { capabilities } from '../fhir/interactions/capabilities.ts';
import type { Service } from '../fhir/service/interaction.ts';
import { directoryAnswers } from './answer/answer-options.ts';
import type { ServedFace } from './answer/rendered-edition.ts';
import { present } from './answer/resource-parts.ts';
import { definitionType } from './definition-type.ts';
import { currentOf, type Editions } from './edition/editions.ts';
import { currentEditionDownload, currentReleaseDownload } from './export/downloads.ts';
import { currentTablesDownloads } from './export/tables/download.ts';
import type { TableFiles } from './export/tables/table-forms.ts';
import { organizationType } from './organization-type.ts';

/** Without `tableFiles`, the service has no files for analysis. */
export function createDirectoryService(
  served: ServedFace,
  editions: Editions,
  tableFiles?: TableFiles,
): Service {
  const { face, settings, serverUrl, baseUrl } = served;
  const current = () => served.render(currentOf(editions));
  const jsonForm = face.jsonFormOf(settings);
  const { downloadPath, releasePath, tablesPath } = face;
  return {
    name: face.name,
    title: face.title,
    description: face.description,
    ...present('instantiates', face.instantiates),
    version: face.version,
    ...present('examples', face.examples),
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
      ...face.definitionTypes(settings).map((type) => definitionType(type, served, current)),
    ],
    ...present('errorDetails', face.errorDetails),
    ...present('outcomeProfile', face.outcomeProfile),
    ...present('outcomeJson', jsonForm.outcome),
    ...directoryAnswers(settings),
    downloads: [
      ...(downloadPath ? [currentEditionDownload(serverUrl + downloadPath, current)] : []),
      ...(releasePath ? [currentReleaseDownload(serverUrl + releasePath, current)] : []),
      ...(tablesPath && tableFiles
        ? currentTablesDownloads(serverUrl + tablesPath, current, tableFiles)
        : []),
    ],
  };
}
