/** A search of power losses for broken promises: the request, the part of a thread, the result. */

export interface ExploreRequest {
  /** Of the recording. */
  readonly folder: string;
  readonly states: number;
  readonly seed: number;
  /** The name of the control that removes syncs. */
  readonly control?: string;
}

export interface Exploration {
  readonly states: number;
  readonly failures: readonly StateFailure[];
}

export interface StateFailure {
  /** Of the change after which the power went, and what it was. */
  readonly change: number;
  readonly after: string;
  readonly loss: string;
  readonly broken: readonly string[];
}

/** The work of one thread: every `parts`-th state, starting with the `part`-th. */
export interface ExplorerThreadData extends ExploreRequest {
  readonly part: number;
  readonly parts: number;
}
