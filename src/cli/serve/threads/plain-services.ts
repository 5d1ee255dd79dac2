/** The services of the directory that are not FHIR, as a server thread serves them. */

import { SOFTWARE } from '../../../config/version.ts';
import type { EditionHistory } from '../../../directory/edition/edition-store.ts';
import type { PlainService } from '../../../fhir/service/interaction.ts';
import { createAssistantsService } from '../../../interfaces/assistants/service.ts';
import { assistantTools } from '../../../interfaces/assistants/tools/tools.ts';
import { createEventsService } from '../../../interfaces/events/service.ts';
import type { ServedFace } from '../../../interfaces/faces/rendered-edition.ts';
import { type JsonServiceOptions, todayOf } from '../../../interfaces/json/json-service.ts';
import { createOrdService } from '../../../interfaces/ord/service.ts';
import { createCodeServices } from '../../../interfaces/questions/service.ts';
import { createReportServices } from '../../../interfaces/reports/service.ts';
import { hasPages, type ServeThreadData } from './serve-thread-data.ts';

/** Empty without the directory. The first of the faces writes whole resources for assistants. */
export function createPlainServices(
  { config, serverUrl }: Pick<ServeThreadData, 'config' | 'serverUrl'>,
  options: JsonServiceOptions,
  [face]: readonly ServedFace[],
  openHistory: () => Promise<EditionHistory>,
): readonly PlainService[] {
  if (face === undefined || !config['directory.enabled']) return [];
  const { editions } = options;
  const tools = { editions, face, openHistory, today: todayOf(options) };
  const assistants = {
    ...options,
    tools: assistantTools(tools),
    identity: SOFTWARE,
    origins: config['mcp.origins'] ?? [],
  };
  return [
    createOrdService({ ...options, ...(hasPages(config) && { helpUrl: `${serverUrl}/api` }) }),
    ...createReportServices(options),
    ...createCodeServices(options),
    createEventsService(options, openHistory),
    ...(config['mcp.enabled'] ? [createAssistantsService(assistants)] : []),
  ];
}
