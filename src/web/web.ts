/**
 * The pages: a handler of HTTP requests beside the FHIR services. Each server thread has its own,
 * for the editions that the thread has loaded.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { dayOf } from '../directory/time/in-force.ts';
import { namesHtml } from '../fhir/http/negotiate.ts';
import { createAddresses, isPagePath } from './addresses.ts';
import { createApp } from './app.ts';
import { ASSETS_PATH, openAssets } from './assets.ts';
import { prepareFacets } from './look-up/facets.ts';
import { lookUpPage } from './look-up/look-up-page.ts';
import { vocabularyOf } from './look-up/spelling.ts';
import { readState } from './look-up/state.ts';
import type { WebOptions, WebRequest } from './web-options.ts';

export interface Web {
  /** Whether the pages answer a request that no FHIR service answers. */
  owns(path: string, accept: string | undefined): boolean;
  /** Whether there is an asset at the path: a style sheet, a script or an image of the pages. */
  readonly isAsset: (path: string) => boolean;
  /** Answers any request. */
  handle(incoming: IncomingMessage, outgoing: ServerResponse, request?: WebRequest): void;
  /** Call after a new edition: builds what its first page needs, in small steps. */
  prepare(): void;
  /** Call after the last answer; also closes the history. */
  close(): Promise<void>;
}

/** Throws if the logo cannot be read. */
export async function createWeb(options: WebOptions): Promise<Web> {
  const { history, now = () => new Date() } = options;
  const addresses = createAddresses(options.face);
  const assets = openAssets(options.settings.logo);
  const assetsPath = `${addresses.base}${ASSETS_PATH}/`;
  const requests = new WeakMap<IncomingMessage, WebRequest>();
  const { app, render } = await createApp({ ...options, addresses, assets, requestOf, today });

  function today(): string {
    return dayOf(now());
  }

  function requestOf(incoming: IncomingMessage): WebRequest {
    let request = requests.get(incoming);
    if (request === undefined) {
      request = { id: randomUUID() };
      requests.set(incoming, request);
    }
    return request;
  }

  let isWarm = false;
  let isClosed = false;
  const prepare = () => {
    const edition = options.editions.current();
    if (edition === undefined) return;
    prepareFacets(edition, () => {
      void vocabularyOf(edition);
      if (isWarm || isClosed) return;
      isWarm = true;
      // Templates are compiled when they are first used. The first visitor does not wait for this.
      lookUpPage(edition, readState(new URLSearchParams()), { addresses, history, today })
        .then((page) => render('look-up.njk', page))
        // When the server stops, it closes the history while the page may still read it.
        .catch((error: unknown) => isClosed || options.onFault(error, 'start'));
    });
  };
  prepare();

  return {
    owns: (path, accept) => isPagePath(addresses, path) || namesHtml(accept ?? ''),
    isAsset: (path) =>
      path.startsWith(assetsPath) && assets.find(path.slice(assetsPath.length)) !== undefined,
    handle: (incoming, outgoing, request) => {
      if (request !== undefined) requests.set(incoming, request);
      app.routing(incoming, outgoing);
    },
    prepare,
    close: async () => {
      isClosed = true;
      await app.close();
      history.close();
    },
  };
}
