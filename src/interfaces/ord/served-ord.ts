/** The ORD interface as a server serves it: with settings and addresses, over its editions. */

import { hash } from 'node:crypto';
import { type Edition, perEdition } from '../../directory/edition/edition.ts';
import { displaysOf } from '../../directory/record/concepts.ts';
import { dateText, prefixedId, statusText } from '../../directory/record/ids.ts';
import type { OrganizationRecord } from '../../directory/record/record.ts';
import { recordClassId } from '../../directory/record/record-facts.ts';
import { escapeXmlText } from '../../fhir/format/xml-text.ts';
import type { Format } from '../../fhir/http/negotiate.ts';
import type { Editions } from '../answer/editions.ts';
import { publishedDateOf } from '../answer/published-date.ts';
import { createResultCache, type ResultCache } from '../answer/result-cache.ts';
import { createTemplates, escapeJson, type Templates } from '../answer/templates.ts';
import { xmlOfTexts } from './form.ts';

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
        JSON.stringify([
          edition.number,
          edition.publishedAt,
          baseUrl,
          program,
          edition.postcodes?.version,
        ]),
      ),
      publishedDate: publishedDateOf(edition),
      summaries: summaryTemplates(edition, baseUrl),
      kept: createResultCache(),
    }),
  );
  return { baseUrl, editions, today, render };
}

/** The rows of organisations in answers to searches. XML has them in an element `Organisation`. */
function summaryTemplates(
  { rows, codeSystems }: Edition,
  baseUrl: string,
): Readonly<Record<Format, Templates>> {
  const displays = displaysOf(codeSystems.roles);
  const summaryOf = (record: OrganizationRecord, format: Format): Record<string, string> => {
    const { code, name, roles, address, isActive, lastUpdated } = record;
    const recordClass = recordClassId(record);
    const postalCode = address?.postalCode;
    const role = roles[0]?.code ?? '';
    const roleName = displays.get(role);
    return {
      ...(name !== undefined && { Name: name }),
      OrgId: code,
      Status: statusText(isActive),
      ...(recordClass !== undefined && { OrgRecordClass: recordClass }),
      ...(postalCode !== undefined && { PostCode: postalCode }),
      LastChangeDate: dateText(lastUpdated),
      PrimaryRoleId: prefixedId('RO', role),
      ...(roleName !== undefined && { PrimaryRoleDescription: roleName }),
      OrgLink: organisationLink(baseUrl, code, format),
    };
  };
  return {
    json: createTemplates(rows, {
      encode: (shape) => JSON.stringify(summaryOf(shape, 'json')),
      escape: escapeJson,
    }),
    xml: createTemplates(rows, {
      encode: (shape) => xmlOfTexts('Organisation', summaryOf(shape, 'xml')),
      escape: escapeXmlText,
    }),
  };
}

/** The address of the record of an organisation, in the format of the answer that has the link. */
export function organisationLink(baseUrl: string, code: string, format: Format): string {
  return `${baseUrl}/organisations/${code}${format === 'xml' ? '?_format=xml' : ''}`;
}
