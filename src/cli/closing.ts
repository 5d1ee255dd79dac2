/** The functions that close the parts of a server when it ends. */

export interface Closing {
  /** Registers a function that closes something. */
  add(close: () => unknown): void;
  /**
   * Calls the functions in reverse order, because what was opened last uses what was opened
   * before. Every function is called; the first error is thrown at the end.
   */
  run(): Promise<void>;
}

export function createClosing(): Closing {
  const waiting: (() => unknown)[] = [];
  return {
    add: (close) => waiting.push(close),
    run: async () => {
      let failure: { readonly error: unknown } | undefined;
      for (let close = waiting.pop(); close !== undefined; close = waiting.pop()) {
        try {
          await close();
        } catch (error) {
          failure ??= { error };
        }
      }
      if (failure !== undefined) throw failure.error;
    },
  };
}
