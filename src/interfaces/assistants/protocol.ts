/**
 * The Model Context Protocol of a server that has only tools, apart from how messages travel. It keeps
 * nothing between two messages. Clients of the revision 2026-07-28 say their version in each message;
 * earlier ones say it once, in `initialize`.
 * https://modelcontextprotocol.io/specification/2026-07-28
 */

import { isObject } from '../../fhir/format/resource.ts';
import { shownText, unknownName } from '../../fhir/request/unknown-name.ts';
import type { Pause } from '../../threads/pauses.ts';
import {
  type ClientMessage,
  errorMessage,
  idOf,
  RPC_ERRORS,
  RpcError,
  readMessage,
} from './messages.ts';
import { callTool, type Tool } from './tools/tool.ts';

/** The revisions that the server speaks, the newest first. */
const PROTOCOL_VERSIONS = [
  '2026-07-28',
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
] as const;

/** In this revision and later ones, each message says its version. */
const FIRST_WITHOUT_HANDSHAKE = '2026-07-28';
const NEWEST_WITH_HANDSHAKE = '2025-11-25';

const INSTRUCTIONS =
  'A directory of health organisations: their names, codes, roles, addresses and relationships, and ' +
  'what happened to them. An organisation is identified by its code, such as RR8. A role has a code ' +
  'that begins with RO, such as RO182 for a pharmacy; where a tool takes a role, its name does too. ' +
  'Lists are short: use the value of next as after to read on, and full only for the whole resource.';

/** What HTTP headers say of a message. Each is undefined if it was not sent. */
export interface MessageHeaders {
  readonly version: string | undefined;
  readonly method: string | undefined;
  /** Decoded. */
  readonly name: string | undefined;
}

/** The answer to a message, or how it is made. A notification has neither. */
export interface Reply {
  /** The HTTP status. */
  readonly status: number;
  readonly message?: object;
  /** Resolves with the message. Rejects only when the signal aborts. */
  readonly run?: (signal: AbortSignal, pause?: Pause) => Promise<object>;
}

/** Never throws. `headers` is absent if the message did not come over HTTP. */
export type AnswerMessage = (
  sent: unknown,
  onFault: (fault: unknown) => void,
  headers?: MessageHeaders,
) => Reply;

export interface ServerIdentity {
  readonly name: string;
  readonly version: string;
}

export function createProtocol(tools: readonly Tool[], identity: ServerIdentity): AnswerMessage {
  const { name, version } = identity;
  const served: Served = { tools, identity: { name, version } };
  return (sent, onFault, headers) => {
    try {
      const message = readMessage(sent);
      if (message.id === undefined) return { status: 202 };
      return answerRequest(served, message, onFault, headers);
    } catch (error) {
      return refusedReply(error, idOf(sent));
    }
  };
}

/** Rethrows what is not an `RpcError`. */
export function refusedReply(error: unknown, id?: string | number): Reply {
  if (!(error instanceof RpcError)) throw error;
  const { code, status } = RPC_ERRORS[error.kind];
  return { status, message: errorMessage(id, code, error.message, error.data) };
}

interface Served {
  readonly tools: readonly Tool[];
  readonly identity: ServerIdentity;
}

function answerRequest(
  { tools, identity }: Served,
  message: ClientMessage,
  onFault: (fault: unknown) => void,
  headers: MessageHeaders | undefined,
): Reply {
  const hasHandshake = checkVersion(message, headers);
  /** The result as the revision of the client has it. */
  const answered = (result: object): object => ({
    jsonrpc: '2.0',
    id: message.id,
    result: hasHandshake ? result : { ...result, ...SELF_DESCRIBING, _meta: serverMeta(identity) },
  });
  const { method, params } = message;
  const known = hasHandshake ? METHODS_WITH_HANDSHAKE : METHODS;
  switch (known.find((each) => each === method)) {
    case 'initialize':
      return { status: 200, message: answered(initialized(identity, params)) };
    case 'ping':
      return { status: 200, message: answered({}) };
    case 'server/discover':
      return { status: 200, message: answered({ ...discovered(), ...KEPT }) };
    case 'tools/list': {
      const listed = { tools: tools.map(described) };
      return { status: 200, message: answered(hasHandshake ? listed : { ...listed, ...KEPT }) };
    }
    case 'tools/call': {
      const tool = toolNamed(tools, params.name);
      return {
        status: 200,
        run: async (signal, pause) =>
          answered(await callTool(tool, params.arguments, { signal, pause, onFault })),
      };
    }
    default: {
      const text = unknownName({ kind: 'method', sent: method, known, listedAt: 'the manual' });
      const { status, ...reply } = refusedReply(new RpcError('unknownMethod', text), message.id);
      // Clients of earlier revisions take a 404 for the end of a session.
      return { ...reply, status: hasHandshake ? 200 : status };
    }
  }
}

const METHODS = ['server/discover', 'tools/list', 'tools/call'] as const;
const METHODS_WITH_HANDSHAKE = ['initialize', 'ping', 'tools/list', 'tools/call'] as const;

const SELF_DESCRIBING = { resultType: 'complete' };

/** Answers that change only with the program. */
const KEPT = { ttlMs: 3_600_000, cacheScope: 'public' };

const META = 'io.modelcontextprotocol/';

function serverMeta(identity: ServerIdentity): object {
  return { [`${META}serverInfo`]: identity };
}

/**
 * Whether the client speaks a revision with a handshake. Throws an `RpcError` if the server does not
 * speak the revision, or if the headers and the message differ.
 */
function checkVersion(
  { method, params }: ClientMessage,
  headers: MessageHeaders | undefined,
): boolean {
  const meta = isObject(params._meta) ? params._meta : {};
  const inMessage = meta[`${META}protocolVersion`];
  const version = inMessage ?? headers?.version;
  // `initialize` negotiates the version.
  if (version === undefined || (method === 'initialize' && inMessage === undefined)) return true;
  if (typeof version !== 'string' || !PROTOCOL_VERSIONS.some((each) => each === version)) {
    const text = `The revision "${shownText(String(version))}" of the protocol is not supported. Use one of ${PROTOCOL_VERSIONS.join(', ')}.`;
    const data = { supported: PROTOCOL_VERSIONS, requested: String(version) };
    throw new RpcError('unsupportedVersion', text, data);
  }
  if (version < FIRST_WITHOUT_HANDSHAKE) return true;
  if (headers !== undefined) {
    const name = method === 'tools/call' ? params.name : undefined;
    requireSame('MCP-Protocol-Version', headers.version, inMessage);
    requireSame('Mcp-Method', headers.method, method);
    requireSame('Mcp-Name', name === undefined ? undefined : headers.name, name);
  }
  if (!isObject(meta[`${META}clientCapabilities`])) {
    const text = `params._meta must have ${META}clientCapabilities, an object, and ${META}protocolVersion.`;
    throw new RpcError('invalidParams', text);
  }
  return false;
}

function requireSame(header: string, sent: string | undefined, inMessage: unknown): void {
  if (sent === inMessage) return;
  const text = `The header ${header} must be that of the message, ${shownText(JSON.stringify(inMessage) ?? 'which has none')}. Got ${sent === undefined ? 'none' : `"${shownText(sent)}"`}.`;
  throw new RpcError('headersDiffer', text);
}

function initialized(identity: ServerIdentity, { protocolVersion }: ClientMessage['params']) {
  const known = PROTOCOL_VERSIONS.find(
    (each) => each === protocolVersion && each < FIRST_WITHOUT_HANDSHAKE,
  );
  return {
    protocolVersion: known ?? NEWEST_WITH_HANDSHAKE,
    capabilities: { tools: {} },
    serverInfo: identity,
    instructions: INSTRUCTIONS,
  };
}

function discovered() {
  return {
    supportedVersions: PROTOCOL_VERSIONS,
    capabilities: { tools: {} },
    instructions: INSTRUCTIONS,
  };
}

function described({ name, title, description, inputSchema, outputSchema }: Tool): object {
  return {
    name,
    title,
    description,
    inputSchema,
    outputSchema,
    annotations: { title, readOnlyHint: true, openWorldHint: false },
  };
}

function toolNamed(tools: readonly Tool[], name: unknown): Tool {
  const known = tools.map((tool) => tool.name);
  const found = tools.find((tool) => tool.name === name);
  if (found !== undefined) return found;
  if (typeof name !== 'string') {
    const text = `params.name must be the name of a tool, such as ${known[0]}.`;
    throw new RpcError('unknownTool', text);
  }
  const text = unknownName({ kind: 'tool', sent: name, known, listedAt: 'tools/list' });
  throw new RpcError('unknownTool', text);
}
