/** Reads the code systems of a release file: the roles and the record classes with their displays. */
import type { Concept } from '../../directory/record.ts';
import type { StartTag } from '../../fhir/format/xml-tokenizer/tag.ts';
import { classCode, roleCode } from './organisation-draft.ts';
import { ParseError } from './parse-error.ts';
import { cleanText } from './source-text.ts';

/** Concepts of other code systems are skipped. */
export class CodeSystemReader {
  readonly #roles = new Map<string, Concept>();
  readonly #recordClasses = new Map<string, Concept>();
  #concepts: Map<string, Concept> | undefined;

  get roles(): readonly Concept[] {
    return [...this.#roles.values()];
  }

  get recordClasses(): readonly Concept[] {
    return [...this.#recordClasses.values()];
  }

  /** At a CodeSystem element. */
  open(tag: StartTag): void {
    const name = tag.valueOf('name');
    if (name === 'OrganisationRole') this.#concepts = this.#roles;
    else if (name === 'OrganisationRecordClass') this.#concepts = this.#recordClasses;
    else this.#concepts = undefined;
  }

  /** At a concept element of the code system that was opened last. */
  addConcept(tag: StartTag): void {
    const concepts = this.#concepts;
    if (concepts === undefined) return;
    const toCode = concepts === this.#roles ? roleCode : classCode;
    const code = toCode(tag.valueOf('id')) ?? toCode(tag.valueOf('code'));
    if (code === undefined || concepts.has(code)) return;
    if (concepts.size >= CONCEPTS_MAX) {
      throw new ParseError(`a code system has more than ${CONCEPTS_MAX} concepts`);
    }
    const display = cleanText(tag.valueOf('displayName'));
    concepts.set(code, display === undefined ? { code } : { code, display });
  }
}

/** Real code systems have some 200. */
const CONCEPTS_MAX = 10_000;
