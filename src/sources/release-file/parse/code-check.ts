/**
 * Compares the codes in the records with a code system, which may come before or after them in
 * the file.
 */
import type { Concept } from '../../../directory/record/record.ts';

export interface CodeCheck {
  /** Call it with the code system after reading it. */
  know(concepts: readonly Concept[]): void;
  /** Call it with each code of an organisation. */
  check(code: string, organisation: string): void;
}

/**
 * Reports codes without a display in the code system, and an organisation that has each of them.
 */
export function createCodeCheck(
  report: (organisation: string, code: string, note: string) => void,
): CodeCheck {
  let known: ReadonlySet<string> | undefined;
  /**
   * The codes read before the code system: the count of each, and the first organisation that
   * has it.
   */
  const met = new Map<string, { organisation: string; count: number }>();
  return {
    know: (concepts) => {
      const shown = concepts.filter(({ display }) => display !== undefined);
      known = new Set(shown.map(({ code }) => code));
      for (const [code, { organisation, count }] of met) {
        if (!known.has(code)) report(organisation, code, `, held ${count} times`);
      }
      met.clear();
    },
    check: (code, organisation) => {
      if (known !== undefined) {
        if (!known.has(code)) report(organisation, code, '');
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
