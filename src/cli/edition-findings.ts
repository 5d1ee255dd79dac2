/** Writes what is damaged in the list of editions to the server's log. */
import type { EditionReader } from '../directory/edition-store.ts';
import { describeError, type Log } from '../server/log.ts';

/** Looks at once and now and then; each finding is logged once. Returns what ends it. */
export function logEditionFindings(store: Pick<EditionReader, 'findings'>, log: Log): () => void {
  const logged = new Set<string>();
  const tell = (finding: string, details: object) => {
    if (logged.has(finding)) return;
    logged.add(finding);
    log.error(details, 'directory.db is damaged: what is said here is not used');
  };
  const look = () => {
    try {
      for (const finding of store.findings()) tell(finding, { finding });
    } catch (error) {
      tell(String(error), { err: describeError(error) });
    }
  };
  look();
  const timer = setInterval(look, LOOK_MS);
  return () => clearInterval(timer);
}

/** A look reads every row, which takes some milliseconds. */
const LOOK_MS = 60_000;
