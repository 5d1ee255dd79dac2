/** The code systems of an edition: their codes, and which codes of roles can be primary. */

import { uniqueConcepts } from '../record/concepts.ts';
import type { CodeSystemName, Concept } from '../record/record.ts';
import { perEdition } from './edition.ts';

/** The roles of the edition's source, and those that only its records use. */
export const roleConcepts = perEdition((edition): readonly Concept[] => {
  // A source may lack codes that its records use; a complete code system has them.
  const used = edition.roleCodes().map((code) => ({ code }));
  return uniqueConcepts([...edition.codeSystems.roles, ...used]);
});

/** The roles that can be primary according to the source, and the primary roles of organisations. */
export const primaryRoleCodes = perEdition((edition): ReadonlySet<string> => {
  const stated = edition.manifests.flatMap(({ primaryRoles = [] }) => primaryRoles);
  const isPrimary = (code: string) =>
    [edition, edition.references].some(({ index }) => {
      const criterion = { type: 'token', field: 'primaryRole', values: [{ code }] } as const;
      return index.search({ criteria: [criterion] }, 0, 0).total > 0;
    });
  const used = roleConcepts(edition).flatMap(({ code }) => (isPrimary(code) ? [code] : []));
  return new Set([...stated, ...used]);
});

export const recordClassConcepts = perEdition(({ codeSystems }): readonly Concept[] =>
  uniqueConcepts(codeSystems.recordClasses),
);

export const relationshipConcepts = perEdition(({ codeSystems }): readonly Concept[] =>
  uniqueConcepts(codeSystems.relationships),
);

/** The code systems of an edition: the prefix of their ids, and the national name of their codes. */
export const CODE_SYSTEMS = {
  roles: { prefix: 'RO', name: 'Role', conceptsOf: roleConcepts },
  relationships: { prefix: 'RE', name: 'Relationship', conceptsOf: relationshipConcepts },
  recordClasses: { prefix: 'RC', name: 'RecordClass', conceptsOf: recordClassConcepts },
} as const satisfies Readonly<Record<CodeSystemName, object>>;
