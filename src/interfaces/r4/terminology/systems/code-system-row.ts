/**
 * A code system of the R4 interface, as a row of the table in `../code-systems.ts`. All operations,
 * the search and the read of code systems and value sets work from these rows.
 *
 * To add a code system:
 * 1. Write a file beside this one that exports a function or constant `codeSystem<Item>({ … })`. An
 *    `Item` is a code with what its properties are made of. `codesInMemory` has the codes of a small
 *    code system, and `codesInArrays` those of one that is kept in sorted arrays.
 * 2. If an edition can lack the data, `remedyOf` says what to do. The code system is then 404 with
 *    that sentence, and searches do not find it.
 * 3. Add it to `r4CodeSystems`, its URL to `R4_SYSTEMS`, and its lines to `docs/reference/terminology.md`.
 */

import type { Edition } from '../../../../directory/edition/edition.ts';
import type { MaybePromise } from '../../../../fhir/service/interaction.ts';
import type { Pause } from '../../../../threads/pauses.ts';
import type { PropertyDeclaration, PropertyValue } from '../../../faces/code-system-types.ts';

/** A code, with what the properties of its code system are made of. */
export interface CodeItem {
  readonly code: string;
  readonly display?: string | undefined;
  /** Whether the code is out of use. Absent: the code system has no such codes. */
  readonly isInactive?: boolean;
}

/** A property that the codes of a code system can have. */
export interface PropertyRow<Item> extends PropertyDeclaration {
  /** Whether its values are relationships or successions, which some editions lack. */
  readonly needsLinks?: boolean;
  /** One value, several or none. */
  valuesOf(item: Item, context: CodeContext): PropertyValue | readonly PropertyValue[] | undefined;
  /** The meaning of a value, such as the name of an organisation. */
  describe?(value: PropertyValue, edition: Edition): string | undefined;
}

/** What properties depend on besides the code. */
export interface CodeContext {
  readonly edition: Edition;
  /** `YYYY-MM-DD`. */
  readonly day: string;
}

/** The codes of a code system in an edition. */
export interface Codes<Item> {
  /** The case of letters matters. */
  find(code: string, day: string): Item | undefined;
  page(query: CodesQuery): MaybePromise<ItemsPage<Item>>;
}

export interface ItemsPage<Item> {
  readonly total: number;
  /** Those from `offset` on, at most `count`. Read once; each is made when it is read. */
  readonly items: Iterable<Item>;
}

export interface CodesQuery {
  readonly day: string;
  /** As the client sent it. Empty: all codes. */
  readonly text: string;
  readonly isActiveOnly: boolean;
  /** All must match. */
  readonly filters: readonly CodeFilter[];
  readonly offset: number;
  readonly count: number;
  /** Awaited after each piece of a long search. Absent: its own pauses. */
  readonly pause?: Pause;
}

/** https://hl7.org/fhir/R4/valueset-definitions.html#ValueSet.compose.include.filter */
export interface CodeFilter {
  readonly property: string;
  readonly value: string;
}

export interface CodeSystemRow<Item extends CodeItem> {
  /** The id of the code system and of the value set with all of its codes. */
  readonly id: string;
  /** The name of both, if the id is no identifier of a program (csd-0, vsd-0). */
  readonly name?: string;
  readonly url: string;
  /** A noun, such as `Organisation role`. */
  readonly title: string;
  /** What to do if the edition lacks the data. Undefined: it has the data. Absent: all have. */
  remedyOf?(edition: Edition): string | undefined;
  /** Whether an edition without relationships has no codes. */
  readonly needsLinks?: boolean;
  /** Whether the resource and an expansion list all codes. Absent: there are too many. */
  readonly isListed?: boolean;
  /** The properties that `$lookup` returns if the client names none. */
  readonly usualProperties?: readonly string[];
  readonly properties: readonly PropertyRow<Item>[];
  /** Further properties, which depend on the edition. */
  furtherProperties?(edition: Edition): readonly PropertyRow<Item>[];
  /** A property that codes can have although it is not declared. */
  undeclaredProperty?(code: string): PropertyRow<Item> | undefined;
  /** The properties by which a value set in a request can choose codes. Absent: all. */
  readonly filters?: readonly string[];
  /** Called once for each edition. Cheap. */
  open(edition: Edition): Codes<Item>;
}
