/** `gazetteer mcp`: the directory for assistants, by the Model Context Protocol over standard input and output. */
import { sectionOf } from '../../config/section.ts';
import { SOFTWARE } from '../../config/version.ts';
import { dayOf } from '../../directory/record/in-force.ts';
import { createProtocol } from '../../interfaces/assistants/protocol.ts';
import { assistantTools } from '../../interfaces/assistants/tools/tools.ts';
import { serveFace } from '../../interfaces/faces/rendered-edition.ts';
import { DIRECTORY_FACES } from '../../interfaces/served-faces.ts';
import type { Command } from '../parts/command.ts';
import { useEditionWithHistory } from '../parts/open-store.ts';
import { STORE_SETTINGS, URI_SETTINGS } from '../parts/options.ts';
import { serveLines } from './serve-lines.ts';

export const mcpCommand: Command = {
  name: 'mcp',
  summary: 'Answer an assistant that starts this command, by the Model Context Protocol',
  examples: ['mcp --data data/demo'],
  settings: [...STORE_SETTINGS, 'baseUrl', 'directory.reports', ...URI_SETTINGS],
  run: async ({ config, streams, stopped }) => {
    await useEditionWithHistory(config, async (edition, history) => {
      const settings = sectionOf(config, 'directory');
      const serverUrl = config.baseUrl ?? 'http://localhost:8080';
      const tools = assistantTools({
        editions: {
          current: () => edition,
          byNumber: (number) => (number === edition.number ? edition : undefined),
        },
        face: serveFace(DIRECTORY_FACES[0], { settings, serverUrl }),
        openHistory: async () => history,
        today: () => dayOf(new Date()),
      });
      await serveLines(createProtocol(tools, SOFTWARE), streams, {
        stopped,
        // Standard output has only the protocol.
        onFault: (fault) => streams.errors.write(`gazetteer: ${fault}\n`),
      });
    });
  },
};
