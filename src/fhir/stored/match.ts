/** The resource that a transaction searches for, or that one of its calls writes or finds. */
import type { Condition, TooCostly } from '../search/criterion.ts';

/** A search for the one resource that a conditional reference means. */
export interface MatchRequest {
  readonly type: string;
  readonly condition: Condition;
}

export type MatchResult =
  | { readonly kind: 'found'; readonly id: string; readonly version: number }
  | { readonly kind: 'absent' }
  | { readonly kind: 'several'; readonly count: number }
  | TooCostly;

export interface ExpectedResource {
  readonly id: string;
  /** Absent: any version. */
  readonly version?: number;
}

export interface MovedResource extends Required<ExpectedResource> {
  /** The index of the call. */
  readonly at: number;
}
