/** Keeps the postcodes that the operator imported last, in every kind of store. */
import type { StoredPostcodes } from '../../directory/places/stored-postcodes.ts';

/** Keeps one version of the postcodes. */
export interface PostcodeStore {
  /** Undefined if none were imported. Throws a `StorageError` if they are damaged. */
  read(): Promise<StoredPostcodes | undefined>;
  /** The same as `encodePostcodes` made them. */
  bytes(): Promise<Uint8Array | undefined>;
  /** Replaces the postcodes in one step. They are durable when it resolves. */
  publish(bytes: Uint8Array): Promise<void>;
  /**
   * Calls `onNew` with the postcodes, and again each time they were replaced; `onProblem` if they
   * cannot be read. Resolves after the first look, with a function that ends the watch.
   */
  watch(
    onNew: (stored: StoredPostcodes) => void,
    onProblem: (error: unknown) => void,
  ): Promise<() => Promise<void>>;
}
