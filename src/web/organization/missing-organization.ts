/** The answer for a code without a page: what the directory still knows about it. */
import type { Edition } from '../../directory/edition/edition.ts';
import type { EditionHistory } from '../../directory/edition/edition-history.ts';
import type { EditionInfo } from '../../directory/edition/edition-store.ts';
import type { OrganizationRecord } from '../../directory/record/record.ts';
import type { Addresses } from '../addresses.ts';
import { noOrganization, type Problem } from '../problems.ts';
import { successorsOnPage } from '../relations/organization-relations.ts';
import { recordOfRow } from '../relations/related-organization.ts';

/** `code` is as the visitor wrote it. */
export async function missingOrganization(
  edition: Edition,
  code: string,
  { addresses, history }: { readonly addresses: Addresses; readonly history: EditionHistory },
): Promise<Problem> {
  if (!CODE.test(code)) return noOrganization(code, []);
  const known = code.toUpperCase();
  const { relations } = edition;
  const row = relations.rowOf(known);
  const removal = row === undefined ? await removalOf(known, history) : undefined;
  const successors = successorsOnPage(edition, known, addresses);
  return {
    ...noOrganization(code, [
      ...(row === undefined ? [] : referenceTexts(recordOfRow(edition, row))),
      ...(removal === undefined ? [] : removalTexts(removal)),
    ]),
    successors,
  };
}

function referenceTexts({ name }: OrganizationRecord): string[] {
  return [
    'The directory has no details of it. Other organisations refer to it.',
    ...(name === undefined ? [] : [`Its name is ${name}.`]),
  ];
}

function removalTexts({ edition, name }: Removal): string[] {
  return [
    `It was removed from the directory with edition ${edition.number}.`,
    ...(name === undefined ? [] : [`Its last name was ${name}.`]),
  ];
}

const CODE = /^[A-Za-z0-9]{1,64}$/;

/** The edition that removed an organisation, and its name in the edition before. */
interface Removal {
  readonly edition: EditionInfo;
  readonly name: string | undefined;
}

async function removalOf(code: string, history: EditionHistory): Promise<Removal | undefined> {
  const latest = (await history.list()).toReversed().slice(0, EDITIONS_LOOKED_AT);
  for (const edition of latest) {
    const { number, removed } = edition;
    if (removed === 0 || (await history.changeOf(number, code)) !== 'removed') continue;
    const comparedTo = (await history.differenceCounts(number))?.comparedTo;
    const last = comparedTo === undefined ? undefined : await history.record(comparedTo, code);
    return { edition, name: last === 'none' ? undefined : last?.name };
  }
  return undefined;
}

/** One year of monthly editions. The page of editions shows older ones. */
const EDITIONS_LOOKED_AT = 12;
