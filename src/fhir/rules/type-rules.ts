/** The rules of a type, collected once: its invariants, and the rules of its elements. */
import type {
  Definitions,
  PropertyDefinition,
  TypeDefinition,
} from '../definitions/definitions.ts';
import type { Binding } from './dstu2-bindings.ts';
import type { Invariant } from './invariant.ts';
import { versionRulesOf } from './version-rules.ts';

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
