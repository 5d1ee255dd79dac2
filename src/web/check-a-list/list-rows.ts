/** The rows of a checked list as the page shows them. */

import type { MatchCandidate, ResolvedCode } from '../../directory/ask/answers.ts';
import { LEVEL_NAMES, levelNamed } from '../../directory/ask/belongs-to.ts';
import type { Edition } from '../../directory/edition/edition.ts';
import { findRow } from '../../directory/edition/source-record.ts';
import type { PostcodeAnswer } from '../../directory/places/areas.ts';
import type { QuestionRow } from '../../interfaces/questions/question.ts';
import type { Addresses } from '../parts/addresses.ts';
import { closedSuccessors } from '../parts/closed-successors.ts';
import { formatList } from '../parts/display.ts';
import { LEVEL_WORDS } from '../parts/level-words.ts';
import { describedOrganization } from './described-organization.ts';
import { type NameCheck, NO_CANDIDATE, type RowCheck } from './list-checks.ts';

export interface ShownRow {
  readonly outcome: string;
  /** The colour of the tag, as the design system names it. */
  readonly colour: string;
  /** What the row asked. */
  readonly asked: string;
  readonly organization?: ShownCode;
  /** What to choose from. */
  readonly options?: readonly ShownOption[];
  /** What the row has otherwise than the organisation. */
  readonly difference?: string;
  /** A sentence about a code that is closed, and what replaced it. */
  readonly note?: string;
  readonly replacements?: readonly ShownCode[];
  /** A sentence about these. */
  readonly afterReplacements?: string;
  /** Whether it belonged to the levels until it closed. */
  readonly isPast?: boolean;
  /** Whether the levels are those of the organisation that replaced it. */
  readonly isReplaced?: boolean;
  /** What it belongs to. */
  readonly levels: readonly (ShownCode & { readonly kind: string })[];
}

interface ShownCode {
  readonly code: string;
  readonly name?: string | undefined;
  /** Absent if there is no page. */
  readonly href?: string;
}

interface ShownOption extends ShownCode {
  readonly value: string;
  readonly place: string;
  readonly isChosen: boolean;
}

/** The words and colours of outcomes; the first words are also those of the counts. */
export const CHECK_OUTCOMES: Readonly<Record<string, readonly [words: string, colour: string]>> = {
  certain: ['Certain', 'green'],
  chosen: ['Chosen', 'green'],
  likely: ['Likely', 'blue'],
  several: ['Choose one', 'yellow'],
  none: ['Not found', 'red'],
  found: ['Found', 'green'],
  terminated: ['No longer in use', 'yellow'],
  unknown: ['Not found', 'red'],
  malformed: ['Not a postcode', 'red'],
};

function outcomeOf(outcome: string): Pick<ShownRow, 'outcome' | 'colour'> {
  const [words, colour] = CHECK_OUTCOMES[outcome] ?? [outcome, 'grey'];
  return { outcome: words, colour };
}

interface ShownFor {
  readonly addresses: Addresses;
  readonly day: string;
}

export function shownRow(
  edition: Edition,
  asked: QuestionRow,
  check: RowCheck,
  shownFor: ShownFor,
): ShownRow {
  return 'place' in check
    ? shownPostcode(asked, check.place, shownFor.addresses)
    : shownName(edition, asked, check, shownFor);
}

function shownName(
  edition: Edition,
  { code = '', name = '' }: QuestionRow,
  check: NameCheck,
  { addresses, day }: ShownFor,
): ShownRow {
  const { outcome, match, candidates, resolved, belonging } = check;
  const [best] = match.candidates;
  const isCertain = best !== undefined && outcome === 'certain';
  const levels = belonging?.levels ?? [];
  return {
    ...outcomeOf(outcome),
    asked: [code, name].filter((text) => text !== '').join(' '),
    ...(isCertain && { organization: linked(edition, best, addresses) }),
    ...(!isCertain && candidates.length > 0 && { options: optionsOf(edition, check) }),
    ...differenceNote(best, outcome),
    ...(resolved !== undefined && closedNote(edition, resolved, day, addresses)),
    levels: LEVEL_NAMES.flatMap((level) => {
      const found = levelNamed(levels, level);
      if (found === undefined) return [];
      return [{ kind: LEVEL_WORDS[level], ...linked(edition, found, addresses) }];
    }),
  };
}

const CLOSED_NOTES: Readonly<Record<string, string>> = {
  replaced: 'This code is closed. It was replaced by',
  split: 'This code is closed. It was replaced by several:',
  closed: 'This code is closed. Nothing replaced it.',
  unknown: 'There was no such organisation on this day.',
};

type ClosedNote = Pick<
  ShownRow,
  'note' | 'replacements' | 'afterReplacements' | 'isPast' | 'isReplaced'
>;

/** What replaced a closed code, also if that has closed too. */
function closedNote(
  edition: Edition,
  { code, outcome, now }: ResolvedCode,
  day: string,
  addresses: Addresses,
): ClosedNote {
  const note = CLOSED_NOTES[outcome];
  if (note === undefined) return {};
  // What stands beside it belongs to the code that replaced it.
  const isPast = outcome === 'closed' || outcome === 'split';
  const closed = outcome === 'closed' ? closedSuccessors(edition, code, day) : undefined;
  return {
    note: closed === undefined ? note : CLOSED_NOTES.replaced!,
    replacements: (closed?.successors ?? now).map((each) => linked(edition, each, addresses)),
    ...(closed !== undefined && { afterReplacements: closed.words }),
    isPast,
    isReplaced: outcome === 'replaced',
  };
}

/** What the row has otherwise. A visitor who chose has seen it. */
function differenceNote(
  best: MatchCandidate | undefined,
  outcome: string,
): Pick<ShownRow, 'difference'> {
  const { differs = [] } = best ?? {};
  if (differs.length === 0 || outcome !== 'likely') return {};
  const verb = differs.length === 1 ? 'differs' : 'differ';
  return { difference: `The ${formatList(differs)} ${verb}. Check it.` };
}

/** A likely one is chosen until the visitor chooses another. */
function optionsOf(
  edition: Edition,
  { outcome, match, candidates }: NameCheck,
): readonly ShownOption[] {
  const chosen = outcome === 'several' ? undefined : match.candidates[0]?.code;
  const options = candidates.map(({ code, name }): ShownOption => {
    const place = describedText(edition, code);
    const isChosen = outcome !== 'none' && code === chosen;
    return { code, name, value: code, place, isChosen };
  });
  const none = { code: '', name: 'None of these', place: '', value: NO_CANDIDATE };
  return [...options, { ...none, isChosen: outcome === 'none' }];
}

/** `GP practice, LEEDS, LS1 4AP, closed`; empty for a code without a record. */
function describedText(edition: Edition, code: string): string {
  const described = describedOrganization(edition, code);
  if (described === undefined) return '';
  const { role, town, postcode, isActive } = described;
  return [role, town, postcode, isActive ? undefined : 'closed']
    .filter((part) => part !== undefined)
    .join(', ');
}

function linked(
  edition: Edition,
  { code, name }: { readonly code: string; readonly name?: string },
  addresses: Addresses,
): ShownCode {
  const hasPage = findRow(edition.index, code) !== undefined;
  return { code, name, ...(hasPage && { href: addresses.organization(code) }) };
}

export function shownPostcode(
  { name = '', postcode = '' }: QuestionRow,
  { outcome, ...answer }: PostcodeAnswer,
  addresses: Addresses,
): ShownRow {
  return {
    ...outcomeOf(outcome),
    asked: postcode === '' ? name : postcode,
    levels: POSTCODE_AREAS.flatMap(([kind, words]): ShownRow['levels'] => {
      const area = answer[kind];
      if (area === undefined) return [];
      const { organisation, code, name } = area;
      if (organisation === undefined) return [{ kind: words, code, name }];
      return [{ kind: words, ...organisation, href: addresses.organization(organisation.code) }];
    }),
  };
}

const POSTCODE_AREAS = [
  ['localAuthority', 'Local authority'],
  ['subIcb', 'Sub-ICB location'],
  ['icb', 'Integrated care board'],
  ['region', 'Region'],
] as const;
