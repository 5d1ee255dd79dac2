/** The program's name, version and date of release, as answers and `--version` show them. */
export const SOFTWARE = {
  name: 'Gazetteer',
  version: '0.2.1',
  releaseDate: '2026-11-24',
} as const;

/** The oldest Node that can run the program and the library. */
export const NODE_MIN = '24.21';
