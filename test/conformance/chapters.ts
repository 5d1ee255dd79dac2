/** All statements of conformance. */
import { AUDIT_EVENT } from './audit-event.ts';
import { DIRECTORY_HTTP } from './directory-http.ts';
import { DIRECTORY_OPERATIONS } from './directory-operations.ts';
import { DIRECTORY_R4 } from './directory-r4.ts';
import { DIRECTORY_SEARCH } from './directory-search.ts';
import { FORMATS } from './formats.ts';
import { ORDER_RESPONSE_CONTENT } from './order-response-content.ts';
import { ORDER_RESPONSE_REQUESTS } from './order-response-requests.ts';
import { ORDER_RESPONSE_SEARCH } from './order-response-search.ts';
import { ORDER_RESPONSE_TRANSACTIONS } from './order-response-transactions.ts';
import { ORDER_RESPONSE_VERSIONS } from './order-response-versions.ts';
import type { Chapter } from './statement.ts';

/** By the block of the reference page that lists their choices. */
export const CHAPTERS_BY_PART: Readonly<Record<string, readonly Chapter[]>> = {
  directory: [...DIRECTORY_HTTP, ...DIRECTORY_SEARCH, ...DIRECTORY_OPERATIONS, ...DIRECTORY_R4],
  formats: FORMATS,
  'order-responses': [
    ...ORDER_RESPONSE_REQUESTS,
    ...ORDER_RESPONSE_VERSIONS,
    ...ORDER_RESPONSE_SEARCH,
    ...ORDER_RESPONSE_TRANSACTIONS,
    ...ORDER_RESPONSE_CONTENT,
    ...AUDIT_EVENT,
  ],
};

export const CHAPTERS: readonly Chapter[] = Object.values(CHAPTERS_BY_PART).flat();
