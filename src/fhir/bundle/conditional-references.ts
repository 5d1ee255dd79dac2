/**
 * Conditional references: searches in place of an address, such as `OrderResponse?identifier=…`. A
 * transaction replaces each by the address of its only match.
 * https://hl7.org/fhir/STU3/http.html#transaction
 */
import type { Access } from '../audit/audit.ts';
import { quote } from '../format/findings.ts';
import { FhirError } from '../request/fhir-error.ts';
import type { Condition } from '../search/criterion.ts';
import {
  authorizeCondition,
  CONDITION_FAILED,
  costlyCondition,
  parseCondition,
} from '../service/condition.ts';
import type { ServedType, TypeContext } from '../service/interaction.ts';
import { mayRead } from '../service/run-interaction.ts';
import type { MatchResult } from '../stored/match.ts';
import type { TransactionCall } from '../stored/repository.ts';
import { namedError } from './entry-request.ts';
import type { ResourceLink } from './links.ts';
import type { SentEntry } from './sent-bundle.ts';

/** The maximum of different searches in one transaction. Other writes wait for these searches. */
const CONDITIONAL_REFERENCES_MAX = 200;

interface ConditionalReference {
  readonly text: string;
  readonly type: ServedType;
  readonly condition: Condition;
  /** The first entry that has it, and the place in its resource. */
  readonly entry: SentEntry;
  readonly path: string;
  /** The id of the match, once a transaction has found it. */
  id: string | undefined;
}

/** The conditional references of one transaction, each once. */
export class ConditionalReferences {
  readonly #service: TypeContext['service'];
  readonly #byText = new Map<string, ConditionalReference>();

  constructor({ service }: TypeContext) {
    this.#service = service;
  }

  /**
   * The address of the match. Throws a FhirError if the text is not a possible search: the
   * diagnostics continue a sentence about the reference.
   */
  addressOf({ text, path }: ResourceLink, entry: SentEntry): string {
    const known = this.#byText.get(text);
    if (known !== undefined) return addressOf(known);
    if (this.#byText.size >= CONDITIONAL_REFERENCES_MAX) throw TOO_MANY;
    const reference = { text, ...this.#parse(text), entry, path: path(), id: undefined };
    this.#byText.set(text, reference);
    return addressOf(reference);
  }

  #parse(text: string): Pick<ConditionalReference, 'type' | 'condition'> {
    const [, name, query = ''] = SEARCH.exec(text) ?? [];
    if (name === undefined) {
      throw notASearch('write a search as Type?parameters, such as OrderResponse?identifier=….');
    }
    const type = this.#service.types.find((each) => each.name === name);
    if (type?.search === undefined || type.stored?.writing === undefined) {
      throw notASearch(`a reference cannot be a search of ${name} on this server.`);
    }
    try {
      return { type, condition: parseCondition(query, { service: this.#service, type }) };
    } catch (error) {
      if (!(error instanceof FhirError)) throw error;
      throw notASearch(error.issues.map(({ diagnostics }) => diagnostics).join(' '));
    }
  }

  /** Rejects if the client may not ask for the searches that the entry has first. */
  async authorize(entry: SentEntry, context: TypeContext): Promise<void> {
    for (const each of this.#byText.values()) {
      if (each.entry !== entry) continue;
      await authorizeCondition(each.condition, { ...context, type: each.type });
    }
  }

  /** The calls that search for the matches. `accessOf`: the access of an entry. */
  calls(accessOf: (entry: SentEntry) => Access): TransactionCall[] {
    return [...this.#byText.values()].map(({ type, condition, entry, id = '' }) => ({
      kind: 'findMatch',
      args: [
        { type: type.name, condition },
        { ...accessOf(entry), interaction: 'search-type' },
      ],
      expected: { id },
    }));
  }

  /** `at`: the index of a call. */
  move(at: number, id: string): void {
    const reference = this.#at(at);
    reference.id = id;
  }

  /** Why the call did not find one match. */
  async refusalOf(at: number, result: MatchResult, context: TypeContext): Promise<FhirError> {
    const reference = this.#at(at);
    const { type, entry } = reference;
    const error = (await mayRead(context, type.name))
      ? errorOf(reference, result)
      : CONDITION_FAILED;
    return namedError(error, entry);
  }

  #at(at: number): ConditionalReference {
    const reference = [...this.#byText.values()][at];
    if (reference === undefined) throw new Error('a call without a conditional reference');
    return reference;
  }
}

const SEARCH = /^([A-Z][A-Za-z]*)\?(.*)$/s;

/** Whether a reference is a search of this server. No relative address of a resource has a query. */
export function isConditional(text: string): boolean {
  return /^[^:#?]*\?/.test(text);
}

/** Before the search has a match, the address is that of no stored resource. */
function addressOf({ type, id = 'unknown' }: ConditionalReference): string {
  return `${type.name}/${id}`;
}

function errorOf({ text, path }: ConditionalReference, result: MatchResult): FhirError {
  if (result.kind === 'too-costly') {
    return new FhirError(costlyCondition().issues.map((issue) => ({ ...issue, location: path })));
  }
  const count =
    result.kind === 'several' ? `${result.count} resources match` : 'No resource matches';
  const diagnostics =
    `${count} the conditional reference ${quote(text)}. Nothing was stored. ` +
    'Send a search that exactly one resource matches, or the address of the resource.';
  return FhirError.of('precondition-failed', diagnostics, { location: path });
}

function notASearch(reason: string): FhirError {
  return FhirError.of('invalid-resource', `cannot be resolved: ${reason}`);
}

const TOO_MANY = notASearch(
  `a transaction can have at most ${CONDITIONAL_REFERENCES_MAX} different conditional references.`,
);
