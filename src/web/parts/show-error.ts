/** Shows people the errors that are meant for programs: of services that are not FHIR, of downloads. */
import { STATUS_CODES } from '../../fhir/request/node-http.ts';
import type { FhirResponse } from '../../fhir/request/request.ts';
import type { MaybePromise } from '../../fhir/service/interaction.ts';
import type { Problem } from './problems.ts';
import type { WebContext } from './web-options.ts';

/** The page of an error; any other answer as it is. Never throws or rejects. */
export type ShowError = (answer: FhirResponse) => MaybePromise<FhirResponse>;

export function createShowError({
  fail,
  addresses,
}: Pick<WebContext, 'fail' | 'addresses'>): ShowError {
  const link = {
    before: 'For the list of addresses for programs, see the',
    text: 'page about the API',
    href: addresses.api,
  };
  return (answer) => {
    // At once, since the listener passes what is not handled to the pages.
    const paragraphs = answer.isUnhandled === true ? [] : sentencesOf(answer);
    if (paragraphs.length === 0) return answer;
    const { status, interaction } = answer;
    answer.onClosed?.();
    const problem: Problem = {
      status,
      title: problemTitle(status),
      paragraphs,
      link,
      headers: headersNamed(answer.headers, KEPT),
      ...(OVERLOADED.has(status) && { hidesSearch: true }),
    };
    return fail(problem).then((page) => ({ ...page, interaction }));
  };
}

/** The words of a status: `Not found`. */
export function problemTitle(status: number): string {
  const words = STATUS_CODES[status] ?? 'Error';
  return words.charAt(0) + words.slice(1).toLowerCase();
}

/** A search would not succeed either. */
const OVERLOADED: ReadonlySet<number> = new Set([429, 500, 503]);

/** The headers that say what to do. */
const KEPT: ReadonlySet<string> = new Set(['allow', 'retry-after', 'www-authenticate']);

function headersNamed(headers: readonly string[], names: ReadonlySet<string>): readonly string[] {
  return headers.filter((_, i) => names.has((headers[i - (i % 2)] ?? '').toLowerCase()));
}

/** Empty if the answer is no error, or says nothing that people can read. */
function sentencesOf({ status, headers, body }: FhirResponse): readonly string[] {
  const typeAt = headers.findIndex((name, i) => i % 2 === 0 && /^content-type$/i.test(name));
  const [type] = (headers[typeAt + 1] ?? '').split(';');
  if (status < 400 || body === undefined || headers.includes('Content-Encoding')) return [];
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  if (type === 'text/plain') return text.trim().split('\n');
  return type?.endsWith('json') ? sentencesOfJson(text) : [];
}

function sentencesOfJson(text: string): readonly string[] {
  try {
    const { error, errorText, errorHint, issue }: ErrorBody = JSON.parse(text);
    const issues = (issue ?? []).map(({ diagnostics }) => diagnostics);
    return [error, errorText, errorHint, ...issues].filter((each) => typeof each === 'string');
  } catch {
    return [];
  }
}

/** Of the services that are not FHIR, of ORD, and an OperationOutcome. */
interface ErrorBody {
  readonly error?: unknown;
  readonly errorText?: unknown;
  readonly errorHint?: unknown;
  readonly issue?: readonly { readonly diagnostics?: unknown }[];
}
