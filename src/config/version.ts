/** The program's name, version and date of release, as answers and `--version` show them. */
export const SOFTWARE = {
  name: 'Gazetteer',
  version: '1.0.0',
  releaseDate: '2026-11-29',
} as const;

/** The oldest Node that can run the program and the library. */
export const NODE_MIN = '24.21';

/** Whether a version of Node, such as `24.21.0`, can run the program and the library. */
export function isNodeEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [majorMin = 0, minorMin = 0] = NODE_MIN.split('.').map(Number);
  return major > majorMin || (major === majorMin && minor >= minorMin);
}
