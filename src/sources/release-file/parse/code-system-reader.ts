/** Reads the code systems of a release file: their codes with the displays, and their identifiers. */
import type { CodeSystemName, CodeSystems, Concept } from '../../../directory/record/record.ts';
import type { StartTag } from '../../../fhir/format/xml-tokenizer/tag.ts';
import { ParseError } from '../../text/parse-error.ts';
import { classCode, relationshipCode, roleCode } from '../../text/source-codes.ts';
import { cleanText } from '../../text/source-text.ts';

interface CodeSystem {
  readonly toCode: (id: string | undefined) => string | undefined;
  readonly concepts: Map<string, Concept>;
  oid?: string | undefined;
}

/** Concepts of other code systems are skipped. */
export class CodeSystemReader {
  readonly #systems: Readonly<Record<CodeSystemName, CodeSystem>> = {
    roles: { toCode: roleCode, concepts: new Map() },
    relationships: { toCode: relationshipCode, concepts: new Map() },
    recordClasses: { toCode: classCode, concepts: new Map() },
  };
  #open: CodeSystem | undefined;

  get systems(): CodeSystems {
    const { roles, relationships, recordClasses } = this.#systems;
    const oids = {
      ...(roles.oid !== undefined && { roles: roles.oid }),
      ...(relationships.oid !== undefined && { relationships: relationships.oid }),
      ...(recordClasses.oid !== undefined && { recordClasses: recordClasses.oid }),
    };
    return {
      roles: [...roles.concepts.values()],
      relationships: [...relationships.concepts.values()],
      recordClasses: [...recordClasses.concepts.values()],
      ...(Object.keys(oids).length > 0 && { oids }),
    };
  }

  /** At a CodeSystem element. */
  open(tag: StartTag): void {
    const name = NAMES.get(tag.valueOf('name') ?? '');
    this.#open = name && this.#systems[name];
    if (this.#open !== undefined) this.#open.oid ??= cleanText(tag.valueOf('oid'));
  }

  /** At a concept element of the code system that was opened last. */
  addConcept(tag: StartTag): void {
    if (this.#open === undefined) return;
    const { concepts, toCode } = this.#open;
    const code = toCode(tag.valueOf('id')) ?? toCode(tag.valueOf('code'));
    if (code === undefined || concepts.has(code)) return;
    if (concepts.size >= CONCEPTS_MAX) {
      throw new ParseError(`a code system has more than ${CONCEPTS_MAX} concepts`);
    }
    const display = cleanText(tag.valueOf('displayName'));
    concepts.set(code, display === undefined ? { code } : { code, display });
  }
}

/** The names in a release file. */
const NAMES: ReadonlyMap<string, CodeSystemName> = new Map([
  ['OrganisationRole', 'roles'],
  ['OrganisationRelationship', 'relationships'],
  ['OrganisationRecordClass', 'recordClasses'],
]);

/** Real code systems have about 200. */
const CONCEPTS_MAX = 10_000;
