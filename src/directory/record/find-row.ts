/** Finds the row of a code as clients write it. */
import type { Relations } from '../edition/relations.ts';

/**
 * The row of a code. The national service also found codes in lower case. Letters outside ASCII stay
 * as they are.
 */
export function findRow(
  { rowOf }: Pick<Relations, 'rowOf'>,
  id: string,
): { readonly row: number; readonly code: string } | undefined {
  const row = rowOf(id);
  if (row !== undefined) return { row, code: id };
  if (!ASCII_CODE.test(id)) return undefined;
  const code = id.toUpperCase();
  const other = rowOf(code);
  return other === undefined ? undefined : { row: other, code };
}

const ASCII_CODE = /^[A-Za-z0-9]+$/;
