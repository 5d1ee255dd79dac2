/** The types of the pages: their options, their paths, and requests for them. */

import type { Edition } from '../../directory/edition/edition.ts';
import type { EditionHistory } from '../../directory/edition/edition-store.ts';
import type { FetchStatus } from '../../directory/edition/fetch-status.ts';
import type { FhirRequest, FhirResponse } from '../../fhir/request/request.ts';
import type { MaybePromise } from '../../fhir/service/interaction.ts';
import type { Editions } from '../../interfaces/answer/editions.ts';
import type { ServedFace } from '../../interfaces/faces/rendered-edition.ts';
import type { Addresses } from './addresses.ts';
import type { Assets } from './assets.ts';
import type { DirectoryInterface } from './directory-interfaces.ts';
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
}

/** The options of the page that tries order responses. */
export interface OrderPageOptions {
  /** A resource that the service accepts. */
  readonly example: object;
  /** Creates a token for everyone who asks. Present only if `pages.giveTokens` is set. */
  readonly createToken?: () => Promise<string>;
}

export interface WebContext extends WebOptions {
  readonly addresses: Addresses;
  readonly assets: Assets;
  /** The day on which a page is made, as `YYYY-MM-DD`. */
  readonly today: () => string;
  /** Makes a part of a page from a template and its data. */
  readonly render: (template: string, data: object) => string;
  /** What the footer says of an edition, by default of the current one. Never rejects. */
  readonly labelOf: (edition?: Edition) => Promise<object | undefined>;
  /** Answers with a page that is made from a template and its data. */
  readonly show: (
    asked: PageRequest,
    template: string,
    data: object,
    answer?: Partial<Pick<FhirResponse, 'status' | 'headers'>>,
  ) => Promise<FhirResponse>;
  /** Answers with a page about a problem. Never rejects. */
  readonly fail: (problem: Problem) => Promise<FhirResponse>;
}

export interface PageRequest {
  readonly request: FhirRequest;
  /** The parameter in the path, decoded; empty if the path has none. */
  readonly id: string;
  /** The parameters of the query. */
  readonly parameters: URLSearchParams;
  /** What the page is made from. Without it, the current edition is in the footer. */
  readonly edition?: Edition;
}

/** The data of a template. */
export interface TitledPage {
  readonly title: string;
  readonly [name: string]: unknown;
}

/** A path of the pages. */
export interface PageRoute {
  /**
   * Below the base of the pages. `{number}` stands for digits, `{code}` or `{file}` for any text
   * without a slash, and `{path}` for any text.
   */
  readonly path: string;
  /** By default GET, and with it HEAD. */
  readonly method?: 'POST';
  answer(asked: PageRequest): MaybePromise<FhirResponse>;
}

export interface PageSettings {
  /** The name of the service, as every page shows it. */
  readonly name: string;
  /** The file of an image beside the name of the service: SVG, PNG or WebP. */
  readonly logo: string | undefined;
  /** The URL of the map; `{query}` stands for the postcode. `off`: pages link to no map. */
  readonly mapUrl: string;
}
