/** What the interfaces of the directory that are not FHIR are served from, and their usual form. */

import { dayOf } from '../../directory/record/in-force.ts';
import type { Form } from '../../fhir/http/negotiate.ts';
import type { Authorize } from '../../fhir/service/interaction.ts';
import type { Editions } from '../answer/editions.ts';
import type { DirectorySettings } from '../answer/settings.ts';

export interface JsonServiceOptions {
  readonly settings: DirectorySettings;
  /** Without a slash at the end. */
  readonly serverUrl: string;
  readonly editions: Editions;
  /** Absent: the service asks for no token. */
  readonly authorize?: Authorize | undefined;
  readonly programVersion?: string;
  readonly now?: () => number;
}

/** The current date in England, `YYYY-MM-DD`. */
export function todayOf({ now = Date.now }: Pick<JsonServiceOptions, 'now'>): () => string {
  return () => dayOf(new Date(now()));
}

export const JSON_FORM: Form = {
  format: 'json',
  contentType: 'application/json; charset=utf-8',
  isPretty: false,
};
