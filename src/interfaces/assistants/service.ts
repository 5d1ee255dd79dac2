/**
 * The tools of assistants over HTTP, by the transport "Streamable HTTP" of the Model Context Protocol:
 * each message is a POST, and its answer is JSON. There are no sessions, so that any thread of any
 * server can answer.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 */

import { headerOf, parseHeaderList, weightOf } from '../../fhir/http/headers.ts';
import { mediaTypeRefusal } from '../../fhir/http/media-type.ts';
import { ERROR_ROWS, FhirError } from '../../fhir/request/fhir-error.ts';
import type { FhirRequest, FhirResponse, OnFault } from '../../fhir/request/request.ts';
import { shownText } from '../../fhir/request/unknown-name.ts';
import { answerBody, answerPieces, headersOf } from '../../fhir/service/answer.ts';
import { fhirErrorOf, printableText } from '../../fhir/service/failure.ts';
import type {
  AnswerOptions,
  PlainOperation,
  PlainService,
} from '../../fhir/service/interaction.ts';
import { createPlainHandle, type PlainContext } from '../../fhir/service/plain-service.ts';
import type { Pause } from '../../threads/pauses.ts';
import { longAnswersOf } from '../answer/editions.ts';
import type { LongAnswers } from '../answer/long-answers.ts';
import { jsonContent, objectOf } from '../json/json-schema.ts';
import { JSON_FORM, type JsonServiceOptions } from '../json/json-service.ts';
import { errorMessage, parseMessage, RPC_ERRORS } from './messages.ts';
import {
  type AnswerMessage,
  createProtocol,
  type MessageHeaders,
  type Reply,
  refusedReply,
  type ServerIdentity,
} from './protocol.ts';
import type { Tool } from './tools/tool.ts';

export const ASSISTANTS_SERVICE_NAME = 'mcp';

export interface AssistantsOptions
  extends Pick<JsonServiceOptions, 'settings' | 'serverUrl' | 'editions' | 'authorize'> {
  readonly tools: readonly Tool[];
  readonly identity: ServerIdentity;
  /** The origins whose pages may send messages, besides that of the server. */
  readonly origins: readonly string[];
}

export function createAssistantsService(options: AssistantsOptions): PlainService {
  const { settings, serverUrl, editions, authorize, tools, identity } = options;
  const baseUrl = `${serverUrl}/${ASSISTANTS_SERVICE_NAME}`;
  const origins = [new URL(serverUrl).origin, ...options.origins];
  const answers: AnswerOptions = {
    headers: ['X-Content-Type-Options', 'nosniff', 'Cache-Control', 'no-store'],
    corsOrigins: origins,
    corsRequestHeaders: ['MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name'],
    authorize,
    gzipMinBytes: settings.gzipMinBytes,
  };
  const receive = createReceive(createProtocol(tools, identity), origins, longAnswersOf(editions));
  return {
    name: ASSISTANTS_SERVICE_NAME,
    title: 'Tools for assistants',
    description: 'The directory as tools, by the Model Context Protocol.',
    baseUrl,
    words: [],
    operations: {
      '': { post: { ...OPERATION, ...(authorize && { security: [{ bearer: [] }] }) } },
    },
    handle: createPlainHandle({
      baseUrl,
      routes: [{ path: '', method: 'POST', interaction: 'operation', answer: receive }],
      answers,
      notFound: FhirError.of('unknown-path', `There is nothing at this path. Use ${baseUrl}.`),
      fail: (request, error, onFault, interaction) => {
        const { issues, headers } = fhirErrorOf(error, { request, onFault });
        const [{ kind, diagnostics }] = issues;
        const { code } = kind === 'fault' ? RPC_ERRORS.fault : RPC_ERRORS.invalidRequest;
        const own = ['Content-Type', JSON_FORM.contentType, ...headersOf(answers, request)];
        return {
          status: ERROR_ROWS[kind].status,
          headers: [...own, ...headers],
          body: JSON.stringify(errorMessage(undefined, code, printableText(diagnostics))),
          interaction,
          format: 'json',
        };
      },
    }),
  };
}

function createReceive(
  answerMessage: AnswerMessage,
  origins: readonly string[],
  longAnswers: LongAnswers,
): (context: PlainContext) => Promise<FhirResponse> {
  const replyTo = async (request: FhirRequest, onFault: OnFault): Promise<Reply> => {
    const bytes = await readSent(request);
    const reportFault = (fault: unknown) => onFault(fault, request);
    try {
      return answerMessage(parseMessage(bytes), reportFault, messageHeaders(request));
    } catch (error) {
      return refusedReply(error);
    }
  };
  return async (context) => {
    const { request, onFault } = context;
    refuseOrigin(request, origins);
    refuseAccept(request);
    const { status, message, run } = await replyTo(request, onFault);
    if (run !== undefined) {
      return answerPieces(
        context,
        JSON_FORM,
        longAnswers.pieces({
          kind: 'answers of tools',
          make: (left = NEVER, pause) => {
            // Nothing is written before the end of a call, so that a client that has left closes nothing.
            const gone = AbortSignal.any([left, request.leftSignal?.() ?? NEVER]);
            return callPieces(run, gone, pause);
          },
        }),
      );
    }
    if (message === undefined) {
      const { body: _, ...accepted } = answerBody(context, JSON_FORM, {});
      return { ...accepted, status };
    }
    return { ...answerBody(context, JSON_FORM, { body: JSON.stringify(message) }), status };
  };
}

async function* callPieces(
  run: NonNullable<Reply['run']>,
  left: AbortSignal,
  pause?: Pause,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield Buffer.from(JSON.stringify(await run(left, pause)));
  } catch (error) {
    if (!left.aborted) throw error;
  }
}

const NEVER = new AbortController().signal;

/** A page that a name of another host leads here must not use what its reader may reach. */
function refuseOrigin(request: FhirRequest, origins: readonly string[]): void {
  const origin = headerOf(request, 'origin');
  if (origin === undefined || origins.includes(origin)) return;
  throw FhirError.of(
    'forbidden',
    `Pages of the origin "${shownText(origin)}" may not use this address. ` +
      'The operator allows an origin with the setting mcp.origins.',
  );
}

/** Clients accept JSON and event streams. This server sends only JSON. */
function refuseAccept(request: FhirRequest): void {
  const accept = headerOf(request, 'accept');
  if (accept === undefined) return;
  const isTaken = parseHeaderList(accept).some(
    (element) => JSON_RANGES.has(element.text.toLowerCase()) && weightOf(element, 0) > 0,
  );
  if (isTaken) return;
  throw FhirError.of(
    'not-acceptable',
    `The answer is JSON. Send Accept: application/json, text/event-stream. Got "${shownText(accept)}".`,
  );
}

const JSON_RANGES: ReadonlySet<string> = new Set(['application/json', 'application/*', '*/*']);

/** Rejects with a FhirError if the body is not taken. */
async function readSent(request: FhirRequest): Promise<Uint8Array> {
  const refusal = mediaTypeRefusal(request, (type) => type === JSON_TYPE, JSON_TYPE);
  if (refusal !== undefined) throw refusal;
  return (await request.readBody?.('form')) ?? new Uint8Array();
}

const JSON_TYPE = 'application/json';

function messageHeaders(request: FhirRequest): MessageHeaders {
  const name = headerOf(request, 'mcp-name');
  return {
    version: headerOf(request, 'mcp-protocol-version'),
    method: headerOf(request, 'mcp-method'),
    name: name === undefined ? undefined : decodedName(name),
  };
}

/** Names that a header cannot have are sent as Base64 of UTF-8. */
function decodedName(name: string): string {
  const [, encoded] = /^=\?base64\?(.*)\?=$/.exec(name) ?? [];
  return encoded === undefined ? name : Buffer.from(encoded, 'base64').toString('utf8');
}

const MESSAGE = objectOf({ jsonrpc: { const: '2.0' }, id: {}, method: {}, params: {} });

const OPERATION: PlainOperation = {
  operationId: 'mcp',
  summary: 'A message of the Model Context Protocol. Only if the operator has enabled it.',
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: MESSAGE,
        example: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      },
    },
  },
  responses: {
    200: { description: 'The answer to a request.', content: jsonContent({ type: 'object' }) },
    202: { description: 'A notification was taken.' },
  },
};
