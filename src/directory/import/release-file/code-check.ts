/** Compares the codes that records carry with a code system, which the file may have before or after them. */
import type { Concept } from '../../record.ts';

export interface CodeCheck {
  /** The code system, when it has been read. */
  know(concepts: readonly Concept[]): void;
  /** A code that this organisation carries. */
  check(code: string, organisation: string): void;
}

/** Tells codes that the code system has no display of, with the organisation that carries them. */
export function createCodeCheck(
  tell: (organisation: string, code: string, note: string) => void,
): CodeCheck {
  let known: ReadonlySet<string> | undefined;
  /** Codes met before the code system: how often, and the first organisation that carries each. */
  const met = new Map<string, { organisation: string; count: number }>();
  return {
    know: (concepts) => {
      const shown = concepts.filter(({ display }) => display !== undefined);
      known = new Set(shown.map(({ code }) => code));
      for (const [code, { organisation, count }] of met) {
        if (!known.has(code)) tell(organisation, code, `, held ${count} times`);
      }
      met.clear();
    },
    check: (code, organisation) => {
      if (known !== undefined) {
        if (!known.has(code)) tell(organisation, code, '');
        return;
      }
      const before = met.get(code);
      if (before !== undefined) before.count++;
      else if (met.size < CODES_REMEMBERED_MAX) met.set(code, { organisation, count: 1 });
    },
  };
}

/** Real files have 200 role codes. */
const CODES_REMEMBERED_MAX = 10_000;
