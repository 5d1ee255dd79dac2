/** Judges the number of files that a request passed through. */

/** Undefined if the request was measured, and passed through few enough files. */
export function filesProblem(count: number, most: number): string | undefined {
  if (count === 0) return 'nothing was measured. Run the command again on a quieter machine.';
  return count > most ? `${count} files are more than ${most}.` : undefined;
}
