/** How a server thread gets the files for analysis, which the main thread makes. */
import type { TableFiles } from '../../directory/export/tables/table-forms.ts';

/** A file that a server thread wants. */
export interface WantedTables {
  readonly edition: number;
  /** A `TableForm`. */
  readonly form: string;
}

/** The answer. Without a path, the file cannot be read now. */
export interface TablesUpdate extends WantedTables {
  readonly kind: 'tables';
  readonly path?: string | undefined;
}

/** `want` sends a message to the main thread, and `take` gets the answer. */
export function createTableFiles(
  want: (wanted: WantedTables) => void,
): TableFiles & { take(update: TablesUpdate): void } {
  const waiting = new Map<string, PromiseWithResolvers<string | undefined>>();
  const keyOf = ({ edition, form }: WantedTables) => `${edition} ${form}`;
  return {
    pathOf: ({ number: edition }, form) => {
      const wanted = { edition, form };
      const known = waiting.get(keyOf(wanted));
      if (known !== undefined) return known.promise;
      const answer = Promise.withResolvers<string | undefined>();
      waiting.set(keyOf(wanted), answer);
      want(wanted);
      return answer.promise;
    },
    take: (update) => {
      waiting.get(keyOf(update))?.resolve(update.path);
      waiting.delete(keyOf(update));
    },
  };
}
