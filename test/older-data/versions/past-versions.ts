/** The earlier versions of the program, whose data every later version opens. */

/** What a version had that the one before it did not have. */
export type Part = 'postcodes' | 'subscriptions' | 'version-erasures';

export interface PastVersion {
  readonly version: string;
  /** The last commit of the version, from before the first commit of the next one. */
  readonly commit: string;
  readonly parts: readonly Part[];
  /** The number of migrations of its databases. */
  readonly databaseSchema: number;
}

const ALL_PARTS: readonly Part[] = ['postcodes', 'subscriptions', 'version-erasures'];

export const PAST_VERSIONS: readonly PastVersion[] = [
  { version: '0.1.0', commit: '471c661b', parts: [], databaseSchema: 4 },
  { version: '0.2.0', commit: '74e671a7', parts: [], databaseSchema: 4 },
  { version: '0.2.1', commit: '4d24cb6a', parts: ALL_PARTS, databaseSchema: 8 },
  { version: '0.2.2', commit: '0cb71ef4', parts: ALL_PARTS, databaseSchema: 8 },
  { version: '0.3.0', commit: '23131898', parts: ALL_PARTS, databaseSchema: 9 },
];

/** The names of the fixtures in `test/fixtures`. */
export function fixtureOf({ version }: PastVersion, store: 'folder' | 'database'): string {
  return store === 'folder' ? `version-${version}` : `version-${version}-database`;
}
