/** What the pages are given: options, requests of the listener, and the functions that answer. */
import type { IncomingMessage } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { EditionHistory } from '../directory/edition-history.ts';
import type { Editions } from '../directory/editions.ts';
import type { ServedFace } from '../directory/served-face.ts';
import type { FhirError } from '../fhir/fhir-error.ts';
import type { Addresses } from './addresses.ts';
import type { Assets } from './assets.ts';
import type { PageSettings } from './page-settings.ts';
import type { Problem } from './problems.ts';

export interface WebOptions {
  readonly settings: PageSettings;
  /** The face whose resources the pages show, and link to. */
  readonly face: ServedFace;
  readonly editions: Editions;
  /** The pages' own from now on. */
  readonly history: EditionHistory;
  /** Whether order responses are served at the same address. */
  readonly hasOrders?: boolean;
  /** Told of faults, which people see only as a problem with the request id. */
  readonly onFault: (error: unknown, requestId: string) => void;
  /** Told of each answer when it has been sent. */
  readonly onAnswer?: (answer: WebAnswer) => void;
}

export interface WebAnswer {
  readonly method: string;
  readonly path: string;
  readonly interaction: 'page' | 'asset';
  readonly status: number;
  readonly durationMs: number;
  readonly requestId: string;
  /** The client's address, as the listener has it. */
  readonly addressOf?: WebRequest['addressOf'];
}

/** What the listener knows of a request. */
export interface WebRequest {
  readonly id: string;
  /** Why the request is refused before it is looked at: too many, too busy. */
  readonly refusal?: FhirError;
  /** The server is stopping: the connection ends with the answer. */
  readonly isLast?: boolean;
  /** The client's address. */
  readonly addressOf?: (() => string) | undefined;
}

export interface AppOptions extends WebOptions {
  readonly addresses: Addresses;
  readonly assets: Assets;
  readonly requestOf: (incoming: IncomingMessage) => WebRequest;
}

/** How routes answer. */
export interface Answering {
  show(reply: FastifyReply, template: string, data: object): FastifyReply;
  fail(reply: FastifyReply, problem: Problem): FastifyReply;
}
