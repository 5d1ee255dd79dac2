/** The ORD interface as a server serves it: with settings and addresses, over its editions. */
import { hash } from 'node:crypto';
import { httpDate } from '../../fhir/http/headers.ts';
import type { Format } from '../../fhir/http/negotiate.ts';
import { createResultCache, type ResultCache } from '../answer/result-cache.ts';
import type { Templates } from '../answer/templates.ts';
import type { Edition } from '../edition/edition.ts';
import type { Editions } from '../edition/editions.ts';
import { perEdition } from '../edition/per-edition.ts';
import { summaryTemplates } from './summary-row.ts';

export interface ServedOrd {
  /** Absolute, without a slash at the end. */
  readonly baseUrl: string;
  readonly editions: Editions;
  /** The current date in England, `YYYY-MM-DD`. */
  readonly today: () => string;
  /** The same object for the same edition, for as long as the edition is in memory. */
  render(edition: Edition): OrdEdition;
}

/** An edition as ORD shows it. */
export interface OrdEdition {
  readonly edition: Edition;
  /** A text that changes with the content, the address and the program, as answers do. */
  readonly fingerprint: string;
  /** The date of publication as an HTTP date. */
  readonly publishedDate: string;
  /** The rows of searches. */
  readonly summaries: Readonly<Record<Format, Templates>>;
  /** Answers that were asked for more than once, by the address of the request below the base. */
  readonly kept: ResultCache;
}

/** `program` is the version of the program: entity tags change with it. */
export function serveOrd(
  baseUrl: string,
  { editions, today, program }: Pick<ServedOrd, 'editions' | 'today'> & { program: string },
): ServedOrd {
  const render = perEdition(
    (edition): OrdEdition => ({
      edition,
      fingerprint: hash(
        'sha256',
        JSON.stringify([edition.number, edition.publishedAt, baseUrl, program]),
      ),
      publishedDate: httpDate(Date.parse(edition.publishedAt)),
      summaries: summaryTemplates(edition, baseUrl),
      kept: createResultCache(),
    }),
  );
  return { baseUrl, editions, today, render };
}
