/** The rules of a type, collected once: its invariants, and the rules of its elements. */

import type {
  Definitions,
  PropertyDefinition,
  TypeDefinition,
} from '../definitions/definitions.ts';
import { DATA_TYPE_INVARIANTS, DSTU2_DATA_TYPE_INVARIANTS } from './data-type-invariants.ts';
import { type Binding, DSTU2_BINDINGS } from './dstu2-bindings.ts';
import { DSTU2_INVARIANTS_A_L } from './dstu2-invariants-a-l.ts';
import { DSTU2_INVARIANTS_M_Z } from './dstu2-invariants-m-z.ts';
import type { Invariant, Invariants } from './invariant.ts';

/**
 * Taken from the StructureDefinitions of 1.0.2. The server does not check warnings, rules of
 * Parameters and FamilyMemberHistory (no element has the name that they test), or the rules of
 * TestScript and StructureDefinition about the structure of definitions.
 */
export const DSTU2_RESOURCE_INVARIANTS: Invariants = {
  ...DSTU2_INVARIANTS_A_L,
  ...DSTU2_INVARIANTS_M_Z,
};

export interface VersionRules {
  /**
   * By the name of a type, or of an element. Contained resources (dom-1 to dom-4), references
   * (ref-1) and narratives (txt-1 to txt-3) are checked elsewhere, because their rules need more
   * than one element. The codec checks ele-1 and ext-1.
   */
  readonly invariants: Invariants;
  /** By the name of an element. */
  readonly bindings: Readonly<Record<string, Binding>>;
}

export function versionRulesOf(version: string): VersionRules {
  return VERSION_RULES.get(version) ?? COMMON_RULES;
}

/** For FHIR versions whose resources clients cannot write. */
const COMMON_RULES: VersionRules = { invariants: DATA_TYPE_INVARIANTS, bindings: {} };

const VERSION_RULES: ReadonlyMap<string, VersionRules> = new Map([
  [
    'DSTU2',
    {
      invariants: {
        ...DATA_TYPE_INVARIANTS,
        ...DSTU2_DATA_TYPE_INVARIANTS,
        ...DSTU2_RESOURCE_INVARIANTS,
      },
      bindings: DSTU2_BINDINGS,
    },
  ],
]);

export interface TypeRules {
  readonly invariants: readonly Invariant[];
  readonly places: ReadonlyMap<PropertyDefinition, PlaceRules>;
}

export interface PlaceRules {
  readonly invariants: readonly Invariant[];
  readonly binding: Binding | undefined;
}

export function typeRules(type: TypeDefinition, definitions: Definitions): TypeRules {
  let rules = gathered.get(type);
  if (rules === undefined) {
    rules = gather(type, definitions);
    gathered.set(type, rules);
  }
  return rules;
}

const gathered = new WeakMap<TypeDefinition, TypeRules>();

function gather(type: TypeDefinition, { version }: Definitions): TypeRules {
  const { invariants, bindings } = versionRulesOf(version);
  const places = new Map<PropertyDefinition, PlaceRules>();
  for (const property of type.properties.values()) {
    const owner = property.name === 'language' && type.kind === 'resource' ? 'Resource' : type.name;
    const place = `${owner}.${property.name}`;
    const binding = bindings[place];
    // A part has the same name as its element, and has its invariants as a type.
    const own = property.type === place ? undefined : invariants[place];
    if (own !== undefined || binding !== undefined) {
      places.set(property, { invariants: own ?? [], binding });
    }
  }
  return { invariants: invariants[type.name] ?? [], places };
}
