/**
 * The pages: they answer what no service answers. Each server thread has its own, for the editions
 * that the thread has loaded.
 */
import { dayOf } from '../directory/record/in-force.ts';
import type { AnswerPages } from '../fhir/handle.ts';
import { namesHtml } from '../fhir/http/negotiate.ts';
import { editionLabel } from './editions/editions-page.ts';
import { createShowAnswer } from './fhir/show-answer.ts';
import { lookUpPage } from './look-up/look-up-page.ts';
import { vocabularyOf } from './look-up/suggestions.ts';
import { prepareFacets } from './matches/facets.ts';
import { NO_STATE } from './matches/state.ts';
import { createPages, type RoutedPages } from './pages.ts';
import { createAddresses } from './parts/addresses.ts';
import { answerText, HTML, headersFor } from './parts/answers.ts';
import { ASSETS_PATH, openAssets } from './parts/assets.ts';
import { createShowError } from './parts/show-error.ts';
import type { WebContext, WebOptions } from './parts/web-options.ts';
import { createRender } from './render.ts';

export interface Web extends RoutedPages {
  /** Whether the pages answer a request that no service answers. */
  owns(path: string, accept: string | undefined): boolean;
  /** Shows what programs get to browsers. */
  readonly answerPages: AnswerPages;
  /** Whether there is an asset at the path: a style sheet, a script or an image of the pages. */
  readonly isAsset: (path: string) => boolean;
  /** Call after a new edition: builds what its first page needs, in small steps. */
  prepare(): void;
  /** Call after the last answer; also closes the history. */
  close(): void;
}

/** Throws if the logo cannot be read. */
export function createWeb(options: WebOptions): Web {
  const { history, now = () => new Date() } = options;
  const addresses = createAddresses(options.face);
  const assets = openAssets(options.settings.logo);
  const assetsPath = `${addresses.base}${ASSETS_PATH}/`;
  const today = () => dayOf(now());
  const render = createRender({ ...options, addresses, assets });
  const labelOf: WebContext['labelOf'] = async (given) => {
    try {
      const edition = given ?? options.editions.current();
      return edition && (await editionLabel(edition, history, today()));
    } catch {
      // The list of editions cannot be read now. Pages that do not need it are shown without a label.
      return undefined;
    }
  };
  const show: WebContext['show'] = async (asked, template, data, answer) => {
    const label = await labelOf(asked.edition);
    return answerText(asked, HTML, render(template, { edition: label, ...data }), answer);
  };
  const fail: WebContext['fail'] = async (problem) => {
    const edition = await labelOf();
    return {
      status: problem.status,
      headers: [...headersFor(HTML, 'no-store'), 'Content-Type', HTML, ...(problem.headers ?? [])],
      body: render('problem.njk', { title: problem.title, problem, edition }),
    };
  };
  const context = { ...options, addresses, assets, today, render, labelOf, show, fail };
  const pages = createPages(context);

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
      lookUpPage(edition, NO_STATE, { addresses, today })
        .then((page) => render('look-up.njk', page))
        .catch((error: unknown) => options.onFault(error, 'start'));
    });
  };
  prepare();

  return {
    ...pages,
    answerPages: { showAnswer: createShowAnswer(context), showError: createShowError(context) },
    owns: (path, accept) => pages.routeOf(path) !== undefined || namesHtml(accept ?? ''),
    isAsset: (path) =>
      path.startsWith(assetsPath) && assets.find(path.slice(assetsPath.length)) !== undefined,
    prepare,
    close: () => {
      isClosed = true;
      history[Symbol.dispose]();
    },
  };
}
