/** What every import of sources needs, from files and from services. */
import type { ImportOptions } from '../../directory/import/import-edition.ts';
import type { DirectorySettings } from '../../interfaces/answer/settings.ts';

export interface FetchOptions
  extends Pick<
    ImportOptions,
    'store' | 'allowShrink' | 'keep' | 'onProgress' | 'onBuild' | 'stopped'
  > {
  /** The largest amount of unpacked data that is read. */
  readonly bytesMax: number;
  /** The URIs of each of these settings are understood. */
  readonly settings: readonly DirectorySettings[];
  /** For private copies of files. */
  readonly temporaryFolder: string;
  /** The clock, in milliseconds. */
  readonly now: () => number;
  readonly say: (line: string) => void;
}
