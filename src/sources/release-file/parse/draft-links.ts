/** The relationships and successions of an Organisation element, as parts of its record. */

import type {
  RelationshipRecord,
  SuccessionKind,
  SuccessionRecord,
  TargetRecord,
} from '../../../directory/record/record.ts';
import type { Warning } from '../../../directory/record/source.ts';
import { relationshipCode, roleCode } from '../../text/source-codes.ts';
import { cleanText, isCode, printable } from '../../text/source-text.ts';
import type {
  OrganisationDraft,
  RelationshipDraft,
  SuccessionDraft,
  TargetDraft,
} from './draft.ts';
import { draftPeriods, isTrue, statusOf, uniqueIdOf } from './draft-parts.ts';

export function draftRelationships(
  draft: OrganisationDraft,
  isOrganisationActive: boolean,
  warnings: Warning[],
): readonly RelationshipRecord[] {
  const relationships: RelationshipRecord[] = [];
  for (const each of draft.relationships) {
    const relationship = relationshipOf(each, isOrganisationActive, warnings);
    if (relationship !== undefined) relationships.push(relationship);
  }
  return relationships;
}

export function draftSuccessions(
  draft: OrganisationDraft,
  warnings: Warning[],
): readonly SuccessionRecord[] {
  const successions: SuccessionRecord[] = [];
  for (const each of draft.successions) {
    const succession = successionOf(each, warnings);
    if (succession !== undefined) successions.push(succession);
  }
  return successions;
}

function relationshipOf(
  draft: RelationshipDraft,
  isOrganisationActive: boolean,
  warnings: Warning[],
): RelationshipRecord | undefined {
  const type = relationshipCode(draft.id);
  const target = targetOf(draft.target, warnings);
  if (type === undefined || target === undefined) {
    const what =
      type === undefined
        ? `a Rel without a type: ${printable(draft.id ?? 'no id')}`
        : `a Rel without a target: ${printable(draft.target?.code ?? 'no code')}`;
    warnings.push({ kind: 'invalid-relationship', detail: what });
    return undefined;
  }
  const isActive = statusOf(draft.status, () => `Status of RE${type}`, warnings);
  if (isActive === undefined) {
    warnings.push({ kind: 'no-status', detail: `relationship RE${type}` });
  }
  const uniqueId = uniqueIdOf(draft.uniqueId, 'uniqueRelId', warnings);
  return {
    type,
    isActive: isActive ?? isOrganisationActive,
    periods: draftPeriods(draft.dates, warnings),
    target,
    ...(uniqueId !== undefined && { uniqueId }),
  };
}

function successionOf(draft: SuccessionDraft, warnings: Warning[]): SuccessionRecord | undefined {
  const kind = kindOf(draft.type);
  const target = targetOf(draft.target, warnings);
  if (kind === undefined || target === undefined) {
    const what =
      kind === undefined
        ? `a Succ of type ${printable(draft.type ?? '(none)')}`
        : `a Succ without a target: ${printable(draft.target?.code ?? 'no code')}`;
    warnings.push({ kind: 'invalid-succession', detail: what });
    return undefined;
  }
  const uniqueId = uniqueIdOf(draft.uniqueId, 'uniqueSuccId', warnings);
  const { forward } = draft;
  return {
    kind,
    periods: draftPeriods(draft.dates, warnings),
    target,
    ...(uniqueId !== undefined && { uniqueId }),
    ...(forward !== undefined && {
      isForward: isTrue(forward, () => 'forwardSuccession', warnings),
    }),
  };
}

function kindOf(type: string | undefined): SuccessionKind | undefined {
  const text = cleanText(type);
  return text === 'Predecessor' || text === 'Successor' ? text : undefined;
}

function targetOf(draft: TargetDraft | undefined, warnings: Warning[]): TargetRecord | undefined {
  const code = draft?.code?.trim() ?? '';
  if (!isCode(code)) return undefined;
  const primaryRole = roleCode(draft?.role);
  const primaryRoleId = uniqueIdOf(draft?.roleId, 'uniqueRoleId of a target', warnings);
  return {
    code,
    ...(primaryRole !== undefined && { primaryRole }),
    ...(primaryRoleId !== undefined && { primaryRoleId }),
  };
}
