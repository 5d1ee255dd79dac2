/** The types of the pages: options, requests of the listener, and the functions that answer. */
import type { IncomingMessage } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { EditionHistory } from '../directory/edition/edition-history.ts';
import type { Editions } from '../directory/edition/editions.ts';
import type { FetchStatus } from '../directory/edition/fetch-status.ts';
import type { ServedFace } from '../directory/served-face.ts';
import type { FhirError } from '../fhir/service/fhir-error.ts';
import type { Addresses } from './addresses.ts';
import type { DirectoryInterface } from './api/directory-interface.ts';
import type { Assets } from './assets.ts';
import type { Problem } from './problems.ts';

export interface WebOptions {
  readonly settings: PageSettings;
  /** The face whose resources the pages show, and link to. */
  readonly face: ServedFace;
  /** The interfaces of the directory, for the page about the API; the first is that of `face`. */
  readonly interfaces: readonly DirectoryInterface[];
  readonly editions: Editions;
  /** The pages close it. */
  readonly history: EditionHistory;
  /** Present if the server fetches the directory from sources. */
  readonly fetchStatus?: () => FetchStatus;
  /** Present if order responses are served at the same address. */
  readonly orders?: OrderPageOptions;
  /** The time, for tests. */
  readonly now?: () => Date;
  /** Called for each fault. The page shows only that there is a problem, and the request id. */
  readonly onFault: (error: unknown, requestId: string) => void;
  /** Called after each answer. */
  readonly onAnswer?: (answer: WebAnswer) => void;
}

/** The options of the page that tries order responses. */
export interface OrderPageOptions {
  /** A resource that the service accepts. */
  readonly example: object;
  /** Creates a token for everyone who asks. Present only if `pages.giveTokens` is set. */
  readonly createToken?: () => Promise<string>;
}

export interface WebAnswer {
  readonly method: string;
  readonly path: string;
  readonly interaction: 'page' | 'asset';
  readonly status: number;
  readonly durationMs: number;
  readonly requestId: string;
  /** The client's address, from the listener. */
  readonly addressOf?: WebRequest['addressOf'];
  readonly traceId?: string | undefined;
}

/** The listener's data about a request. */
export interface WebRequest {
  readonly id: string;
  /** The error of a request that the limits reject. */
  readonly refusal?: FhirError;
  /** The server is stopping: the connection ends with the answer. */
  readonly isLast?: boolean;
  /** What the client may have meant by a path where nothing is. */
  readonly nearestPath?: string | undefined;
  /** The client's address. */
  readonly addressOf?: (() => string) | undefined;
  /** The trace that the request is a part of. */
  readonly trace?: { readonly id: string; readonly setRoute: (route: string) => void } | undefined;
}

export interface AppOptions extends WebOptions {
  readonly addresses: Addresses;
  readonly assets: Assets;
  readonly requestOf: (incoming: IncomingMessage) => WebRequest;
  /** The day on which a page is made, as `YYYY-MM-DD`. */
  readonly today: () => string;
}

/** How routes answer. */
export interface Answering {
  show(reply: FastifyReply, template: string, data: object): FastifyReply;
  fail(reply: FastifyReply, problem: Problem): FastifyReply;
}

export interface PageSettings {
  /** The name of the service, as every page shows it. */
  readonly name: string;
  /** The file of an image beside the name of the service: SVG, PNG or WebP. */
  readonly logo: string | undefined;
  /** The URL of the map; `{query}` stands for the postcode. `off`: pages link to no map. */
  readonly mapUrl: string;
}
