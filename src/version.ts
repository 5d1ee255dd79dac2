/** The program's name, version and date of release, as answers and `--version` show them. */
export const SOFTWARE = {
  name: 'Gazetteer',
  version: '0.1.0',
  releaseDate: '2026-11-21',
} as const;
