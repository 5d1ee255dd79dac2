/** The rules of each FHIR version: the invariants of its types, and bindings to value sets. */
import { DATA_TYPE_INVARIANTS, DSTU2_DATA_TYPE_INVARIANTS } from './data-type-invariants.ts';
import { type Binding, DSTU2_BINDINGS } from './dstu2-bindings.ts';
import { DSTU2_RESOURCE_INVARIANTS } from './dstu2-invariants.ts';
import type { Invariants } from './invariant.ts';

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
