/**
 * The notes about values of a search that can match nothing, because the directory does not have
 * their system, their code or their type. A code of an organisation needs no note: it can exist
 * elsewhere.
 */

import { roleCodeOf, unknownRole } from '../../../directory/ask/role-words.ts';
import { relationshipConcepts } from '../../../directory/edition/code-systems.ts';
import type { Edition } from '../../../directory/edition/edition.ts';
import { trimPasted } from '../../../directory/edition/source-record.ts';
import { prefixedId } from '../../../directory/record/ids.ts';
import { parseQueryString } from '../../../fhir/http/query-string.ts';
import { unknownName } from '../../../fhir/request/unknown-name.ts';
import { type Alternative, parseAlternatives } from '../../../fhir/search/parsed.ts';
import { parseReference, referencedType } from '../../../fhir/search/reference.ts';
import type { Search } from '../../faces/search.ts';
import { R4_SYSTEMS } from './systems.ts';

/** The values that a parameter can match. */
export interface KnownValues {
  /** A value may have one of these before its pipe. */
  readonly systems: readonly string[];
  /** The text about a code that does not exist. Absent: the parameter takes any code. */
  readonly codeNote?: (edition: Edition, code: string, parameter: string) => string | undefined;
  /** Set if a value can be the address of an organisation: the base of this server. */
  readonly baseUrl?: string;
}

/** By the names of the parameters, without modifiers and types. */
export type KnownParameters = Readonly<Record<string, KnownValues>>;

/** A search can have 200 values. */
const NOTES_MAX = 10;

export function searchNotes(
  edition: Edition,
  { pairs }: Pick<Search, 'pairs'>,
  parameters: KnownParameters,
): readonly string[] {
  const notes = new Set<string>();
  for (const { name, value } of pairs.flatMap(({ text }) => parseQueryString(text))) {
    const parameter = name.replace(/:[^.]*/g, '');
    if (value === '' || !Object.hasOwn(parameters, parameter)) continue;
    const known = parameters[parameter]!;
    for (const parts of parseAlternatives(value)) {
      const note = noteOf(edition, parts, parameter, known);
      if (note !== undefined) notes.add(note);
    }
  }
  return [...notes].slice(0, NOTES_MAX);
}

function noteOf(
  edition: Edition,
  parts: Alternative,
  parameter: string,
  { systems, codeNote, baseUrl }: KnownValues,
): string | undefined {
  const [first = '', ...others] = parts;
  const hasSystem = others.length > 0;
  if (hasSystem && !systems.includes(trimPasted(first))) {
    return unknownPart('system', first, parameter, systems);
  }
  if (!hasSystem && baseUrl !== undefined) return addressNote(parts, parameter, baseUrl);
  const code = hasSystem ? others.join('|') : first;
  return code === '' ? undefined : codeNote?.(edition, code, parameter);
}

/** An address of another type, or of another server. */
function addressNote(parts: Alternative, parameter: string, baseUrl: string): string | undefined {
  const parsed = parseReference(parts, { types: ['Organization'], baseUrl });
  const [prefix = ''] = 'issues' in parsed ? [] : parsed.value.prefixes;
  const type = referencedType({ id: '', prefix });
  if (type === undefined) return undefined;
  if (type !== 'Organization') return unknownPart('type', type, parameter, ['Organization']);
  const isHere = prefix === 'Organization/' || prefix === `${baseUrl}/Organization/`;
  const server = prefix.slice(0, -'/Organization/'.length);
  return isHere ? undefined : unknownPart('server', server, parameter, [baseUrl]);
}

/** `Unknown system "…" of roleCode. The only system is …` */
function unknownPart(
  part: string,
  sent: string,
  parameter: string,
  known: readonly string[],
): string {
  const listedAt = `the documentation of ${parameter}`;
  return unknownName({ kind: `${part} of ${parameter}`, sent, known, listedAt });
}

/** The roles of organisations. */
export const KNOWN_ROLES: KnownValues = {
  systems: [R4_SYSTEMS.role],
  codeNote: (edition, role) =>
    roleCodeOf(edition, role) === undefined ? unknownRole(edition, role) : undefined,
};

/** The types of relationships. */
export const KNOWN_RELATIONSHIPS: KnownValues = {
  systems: [R4_SYSTEMS.relationship],
  codeNote: (edition, sent, parameter) => {
    const concepts = relationshipConcepts(edition).map(({ code }) => code);
    const code = sent.trim().replace(/^RE/i, '');
    // A source may lack codes that its records use.
    if (concepts.includes(code) || isUsed(edition, code)) return undefined;
    return unknownName({
      kind: `code of ${parameter}`,
      sent,
      known: concepts.map((each) => prefixedId('RE', each)),
      listedAt: 'CodeSystem/ODSRelationship',
    });
  },
};

function isUsed({ relationshipIndex }: Edition, code: string): boolean {
  const criterion = { type: 'token', field: 'type', values: [{ code }] } as const;
  return relationshipIndex.search({ criteria: [criterion] }, 0, 0).total > 0;
}

/** A parameter whose codes the program has in a list. */
export function codesInList(systems: readonly string[], codes: readonly string[]): KnownValues {
  const known = new Set(codes.map((code) => code.toLowerCase()));
  return {
    systems,
    codeNote: (_edition, sent, parameter) =>
      known.has(sent.trim().toLowerCase())
        ? undefined
        : unknownName({
            kind: `code of ${parameter}`,
            sent,
            known: codes,
            listedAt: 'the documentation',
          }),
  };
}
