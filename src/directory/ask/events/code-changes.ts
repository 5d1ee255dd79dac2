/** Which codes the editions added and removed, from the differences that are kept of them. */

import type { Pause } from '../../../threads/pauses.ts';
import type { EditionHistory, EditionInfo } from '../../edition/edition-store.ts';
import { restoredFrom } from '../../edition/restored-edition.ts';
import type { EventKind, OrganizationEvent } from '../answers.ts';
import { codesIn } from './code-lines.ts';
import { dayOfEdition, knowledgeOf } from './kept-editions.ts';

export interface CodeChange {
  readonly kind: 'added' | 'removed';
  readonly code: string;
  /** The edition that added or removed it. */
  readonly info: EditionInfo;
  /** The number of the edition before, which has the record that was removed. */
  readonly comparedTo: number;
}

const KINDS = ['added', 'removed'] as const;

/**
 * `infos`: the newest first, without those that a rollback undid. The first edition adds nothing.
 * Awaits the pause after each code.
 */
export async function codeChangesOf(
  infos: readonly EditionInfo[],
  history: EditionHistory,
  pause: Pause,
): Promise<readonly CodeChange[]> {
  const found: CodeChange[] = [];
  const last = new Map<string, CodeChange['kind']>();
  for (const info of infos.toReversed()) {
    const { comparedTo } = (await history.differenceCounts(info.number)) ?? {};
    // A rollback has the codes of the edition before it in the list.
    if (comparedTo === undefined || restoredFrom(info) !== undefined) continue;
    for (const kind of KINDS) {
      for (const code of codesIn(await history.codes(info.number, kind))) {
        const turn = pause();
        if (turn !== undefined) await turn;
        // After damage, an edition is compared with an earlier one than the last.
        if (last.get(code) === kind) continue;
        last.set(code, kind);
        found.push({ kind, code, info, comparedTo });
      }
    }
  }
  return found;
}

/** An event that only a comparison of editions shows, on the day of the edition that had it first. */
export function comparedEvent(
  kind: Extract<EventKind, keyof typeof TEXTS>,
  { code, name }: { readonly code: string; readonly name?: string },
  info: EditionInfo,
): OrganizationEvent {
  return {
    kind,
    code,
    ...(name !== undefined && { name }),
    day: dayOfEdition(info),
    knownSince: knowledgeOf(info),
    text: TEXTS[kind],
  };
}

const TEXTS = {
  added: 'New in the directory',
  removed: 'Gone from the directory',
  changed: 'Other details changed',
} as const;
