/**
 * What the editions of the directory removed, as lists, so that copies of the directory can follow.
 * https://hl7.org/fhir/R4/list.html
 */

import type { Edition } from '../../../directory/edition/edition.ts';
import type { DeletedKind, Deletion } from '../../../directory/edition/kept-changes.ts';
import type { ResourceObject } from '../../answer/resource-parts.ts';
import type { DirectorySettings } from '../../answer/settings.ts';
import type { DefinitionType } from '../../faces/face.ts';
import { typedDateTime } from './organization.ts';
import { R4_DEFINITION_PARAMETERS } from './result-parameters.ts';
import { R4_SYSTEMS } from './systems.ts';

export function deletionListType({ organizationCodeSystem }: DirectorySettings): DefinitionType {
  const lists = deletionLists(organizationCodeSystem);
  const ids = lists.map(({ id }) => id);
  return {
    name: 'List',
    documentation: 'What the editions of the directory removed.',
    notFound: `The lists are ${new Intl.ListFormat('en-GB').format(ids)}.`,
    ids,
    searchedBy: R4_DEFINITION_PARAMETERS,
    resourceOf: (id, edition) => {
      const list = lists.find((one) => one.id === id);
      return list && listResource(list, edition);
    },
  };
}

interface DeletionList {
  readonly id: string;
  readonly kind: DeletedKind;
  readonly title: string;
  /** The type of the resource that was removed, or that had the removed part. */
  readonly type: 'Organization' | 'OrganizationAffiliation';
  /** The system of the ids. */
  readonly system: string;
}

function deletionLists(organizationCodeSystem: string): readonly DeletionList[] {
  return [
    {
      id: 'Organization-deletion',
      kind: 'organizations',
      title: 'Deleted organisations',
      type: 'Organization',
      system: organizationCodeSystem,
    },
    {
      id: 'OrganizationAffiliation-deletion',
      kind: 'relationships',
      title: 'Deleted relationships',
      type: 'OrganizationAffiliation',
      system: R4_SYSTEMS.relationshipInstance,
    },
    {
      id: 'Organization-role-deletion',
      kind: 'roles',
      title: 'Deleted roles of organisations',
      type: 'Organization',
      system: R4_SYSTEMS.roleInstance,
    },
    {
      id: 'Organization-succession-deletion',
      kind: 'successions',
      title: 'Deleted successions of organisations',
      type: 'Organization',
      system: R4_SYSTEMS.succession,
    },
  ];
}

/** The most entries of a list. A release removes far fewer. */
const DELETIONS_MAX = 10_000;

function listResource(list: DeletionList, edition: Edition): ResourceObject {
  const { id, kind, title } = list;
  const { publishedAt, hasLinks } = edition;
  const all = edition.deletions(kind);
  const newest = all.toSorted(byEdition).slice(0, DELETIONS_MAX);
  const isKnown = hasLinks || kind === 'organizations';
  const notes = [
    ...(newest.length < all.length
      ? [`The list has the last ${DELETIONS_MAX} deletions. Earlier deletions are left out.`]
      : []),
    ...(isKnown ? [] : [UNKNOWN]),
  ];
  return {
    resourceType: 'List',
    id,
    meta: { lastUpdated: publishedAt },
    status: 'current',
    mode: 'changes',
    title,
    date: publishedAt,
    ...(notes.length > 0 && { note: notes.map((text) => ({ text })) }),
    ...(newest.length > 0 && { entry: newest.map((each) => entryOf(each, list)) }),
    ...(newest.length === 0 && !isKnown && { emptyReason: UNAVAILABLE }),
  };
}

/** The newest edition first. */
function byEdition({ deletedIn: one }: Deletion, { deletedIn: other }: Deletion): number {
  return other.number - one.number;
}

/** The element `date` of an entry is only for lists of the mode `working` (lst-3). */
function entryOf({ id, deletedIn }: Deletion, { type, system }: DeletionList) {
  return {
    extension: [typedDateTime({ display: 'Deletion date' }, deletedIn.publishedAt)],
    deleted: true,
    item: { type, identifier: { system, value: id } },
  };
}

/** Without it, a list would look as if nothing had been removed. */
const UNKNOWN =
  'The source of the current edition does not state relationships, successions or the numbers of ' +
  'roles. The list therefore does not have those that this edition removed.';

const UNAVAILABLE = {
  coding: [
    { system: 'http://terminology.hl7.org/CodeSystem/list-empty-reason', code: 'unavailable' },
  ],
};
