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
  /** The last answer for each form. */
  const known = new Map<string, TablesUpdate>();
  const waiting = new Map<string, PromiseWithResolvers<void>>();
  const keyOf = ({ edition, form }: WantedTables) => `${edition} ${form}`;
  return {
    pathOf: ({ number: edition }, form) => {
      const last = known.get(form);
      if (last?.edition === edition && last.path !== undefined) return last.path;
      const wanted = { edition, form };
      const others = waiting.get(keyOf(wanted));
      if (others !== undefined) return others.promise;
      const answer = Promise.withResolvers<void>();
      waiting.set(keyOf(wanted), answer);
      want(wanted);
      return answer.promise;
    },
    take: (update) => {
      known.set(update.form, update);
      waiting.get(keyOf(update))?.resolve();
      waiting.delete(keyOf(update));
    },
  };
}
