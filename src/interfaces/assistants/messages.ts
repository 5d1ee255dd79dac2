/**
 * JSON-RPC messages as the Model Context Protocol has them.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic
 */

import { isObject } from '../../fhir/format/resource.ts';
import { parseJson } from '../json/json-body.ts';

/** A message of a client. Without an id it is a notification, which gets no answer. */
export interface ClientMessage {
  readonly id?: MessageId;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

export type MessageId = string | number;

/** Codes of errors, and the HTTP status of an answer with each. */
export const RPC_ERRORS = {
  notJson: { code: -32700, status: 400 },
  invalidRequest: { code: -32600, status: 400 },
  unknownMethod: { code: -32601, status: 404 },
  invalidParams: { code: -32602, status: 400 },
  unknownTool: { code: -32602, status: 200 },
  fault: { code: -32603, status: 500 },
  headersDiffer: { code: -32020, status: 400 },
  unsupportedVersion: { code: -32022, status: 400 },
} as const;

/** The message cannot be answered. Its text names the problem and the remedy. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly kind: keyof typeof RPC_ERRORS;
  readonly data: object | undefined;

  constructor(kind: keyof typeof RPC_ERRORS, message: string, data?: object) {
    super(message);
    this.kind = kind;
    this.data = data;
  }
}

/** Throws an `RpcError`. */
export function parseMessage(bytes: Uint8Array): unknown {
  const read = parseJson(bytes);
  if ('problem' in read) throw new RpcError('notJson', `The message is not JSON. ${read.problem}`);
  return read.value;
}

/** The id of a message, if it has one that an answer can name. */
export function idOf(value: unknown): MessageId | undefined {
  if (typeof value !== 'object' || value === null || !('id' in value)) return undefined;
  const { id } = value;
  return typeof id === 'string' || Number.isInteger(id) ? (id as MessageId) : undefined;
}

/** Throws an `RpcError`. */
export function readMessage(value: unknown): ClientMessage {
  if (Array.isArray(value)) {
    throw invalid('The message is a batch. Send each of its messages alone.');
  }
  if (!isObject(value)) {
    throw invalid(`The message must be an object, such as ${EXAMPLE}.`);
  }
  const { jsonrpc, method, params = {} }: Readonly<Record<string, unknown>> = value;
  if (jsonrpc !== '2.0') throw invalid('jsonrpc must be "2.0".');
  const id = idOf(value);
  if (id === undefined && Object.hasOwn(value, 'id')) {
    throw invalid('id must be a text or a whole number.');
  }
  if (typeof method !== 'string') {
    throw invalid(`method must be a text, as in ${EXAMPLE}. This server sends no requests.`);
  }
  if (!isObject(params)) throw new RpcError('invalidParams', 'params must be an object.');
  return { ...(id !== undefined && { id }), method, params };
}

const EXAMPLE = '{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}';

function invalid(message: string): RpcError {
  return new RpcError('invalidRequest', message);
}

/** The answer with an error. A message that could not be read has no id. */
export function errorMessage(
  id: MessageId | undefined,
  code: number,
  message: string,
  data?: object,
): object {
  return {
    jsonrpc: '2.0',
    ...(id !== undefined && { id }),
    error: { code, message, ...(data !== undefined && { data }) },
  };
}
