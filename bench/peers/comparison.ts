/** The values that the parts of a comparison share. */
import type { PostgresServer } from '../../test/storage/postgres/server.ts';
import type { LoadProcesses } from '../load-processes.ts';
import type { PeerOptions } from './options.ts';

export interface Comparison {
  readonly options: PeerOptions;
  readonly classPath: string;
  readonly postgres: PostgresServer;
  readonly loaders: LoadProcesses;
  /** An empty folder that is removed after the run. */
  readonly scratch: string;
}
