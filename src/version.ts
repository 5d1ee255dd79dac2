/** The program's name, version and date of release, as answers and `--version` show them. */
export const SOFTWARE = {
  name: 'Gazetteer',
  version: '0.2.0',
  releaseDate: '2026-11-22',
} as const;
