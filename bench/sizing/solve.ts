/** Fits a linear formula to measurements. */

/** The factors of the columns for which the sum of the squares of the errors is least. */
export function solve(
  rows: readonly (readonly number[])[],
  values: readonly number[],
): readonly number[] {
  const width = rows[0]?.length ?? 0;
  const product = (one: (row: readonly number[]) => number, other: (at: number) => number) =>
    rows.reduce((sum, row, at) => sum + one(row) * other(at), 0);
  const matrix = Array.from({ length: width }, (_, i) => [
    ...Array.from({ length: width }, (_, j) =>
      product(
        (row) => row[i]!,
        (at) => rows[at]![j]!,
      ),
    ),
    product(
      (row) => row[i]!,
      (at) => values[at]!,
    ),
  ]);
  for (let pivot = 0; pivot < width; pivot++) {
    for (let other = 0; other < width; other++) {
      if (other === pivot) continue;
      const factor = matrix[other]![pivot]! / matrix[pivot]![pivot]!;
      matrix[other] = matrix[other]!.map((cell, at) => cell - factor * matrix[pivot]![at]!);
    }
  }
  return matrix.map((row, at) => row[width]! / row[at]!);
}
