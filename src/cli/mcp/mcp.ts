/** `gazetteer mcp`: the directory for assistants, by the Model Context Protocol over standard input and output. */
import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sectionOf } from '../../config/section.ts';
import { SOFTWARE } from '../../config/version.ts';
import { openDirectory } from '../../library/open-directory.ts';
import { type Command, CommandError, type Streams } from '../parts/command.ts';
import { useEditionWithHistory } from '../parts/open-store.ts';
import { STORE_SETTINGS, URI_SETTINGS } from '../parts/options.ts';
import { answerTool, type DirectoryTool, directoryTools, schemaOf } from './directory-tools.ts';

export const mcpCommand: Command = {
  name: 'mcp',
  summary: 'Answer an assistant that starts this command, by the Model Context Protocol',
  examples: ['mcp --data data/demo'],
  settings: [...STORE_SETTINGS, 'baseUrl', ...URI_SETTINGS],
  run: async ({ config, streams, stopped }) => {
    const sdk = await loadPackage();
    await useEditionWithHistory(config, async (edition, history) => {
      const directory = openDirectory<'STU3'>(edition, {
        settings: sectionOf(config, 'directory'),
        fhirVersion: 'STU3',
        serverUrl: config.baseUrl ?? 'http://localhost:8080',
        history,
      });
      const running = new Set<Promise<unknown>>();
      const server = createServer(sdk, directoryTools(directory), streams, running);
      await server.connect(new sdk.StdioServerTransport(streams.input, streams.output));
      // The assistant has gone, or the process is asked to end.
      await once(streams.input, 'end', { signal: stopped }).catch((error) => {
        if (!stopped.aborted) throw error;
      });
      // Calls that came before the end of the input are answered.
      await nextTurn();
      await Promise.allSettled(running);
      await nextTurn();
      await server.close();
    });
  },
};

const INSTRUCTIONS =
  'A directory of health organisations: their names, codes, roles, addresses and relationships, and ' +
  'what happened to them. Codes of roles begin with RO: RO182 is a pharmacy.';

type Sdk = Awaited<ReturnType<typeof loadPackage>>;

/** Standard output has only the protocol, so a fault is written to standard error. */
function createServer(
  { Server, ListToolsRequestSchema, CallToolRequestSchema }: Sdk,
  tools: readonly DirectoryTool[],
  { errors }: Streams,
  running: Set<Promise<unknown>>,
) {
  const { name, version } = SOFTWARE;
  const capabilities = { tools: {} };
  const server = new Server({ name, version }, { capabilities, instructions: INSTRUCTIONS });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.map((tool) => ({
      name: tool.name,
      description: tool.description,
      inputSchema: schemaOf(tool),
      annotations: { readOnlyHint: true, openWorldHint: false },
    })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const answer = answerTool(tools, params.name, params.arguments, (fault) => {
      errors.write(`gazetteer: ${fault}\n`);
    });
    running.add(answer);
    const { text, isError } = await answer;
    running.delete(answer);
    return { content: [{ type: 'text', text }], isError };
  });
  return server;
}

export const MCP_PACKAGE = ['@modelcontextprotocol/sdk', '1.32.2'] as const;

/** An optional package, because it brings 90 others. */
async function loadPackage() {
  try {
    const [{ Server }, { StdioServerTransport }, types] = await Promise.all([
      import('@modelcontextprotocol/sdk/server/index.js'),
      import('@modelcontextprotocol/sdk/server/stdio.js'),
      import('@modelcontextprotocol/sdk/types.js'),
    ]);
    const { ListToolsRequestSchema, CallToolRequestSchema } = types;
    return { Server, StdioServerTransport, ListToolsRequestSchema, CallToolRequestSchema };
  } catch (error) {
    const isMissing =
      error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
    if (!isMissing) throw error;
    throw new CommandError(
      'The package of the Model Context Protocol is not installed. Run this command in the folder ' +
        'where gazetteer-fhir is installed, with -g if it is installed globally: ' +
        `npm install ${MCP_PACKAGE.join('@')}`,
    );
  }
}
