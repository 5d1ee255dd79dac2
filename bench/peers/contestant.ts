/** The servers in a comparison: how the cases send requests to them and measure them. */
import type { PostgresServer } from '../../test/storage/postgres/server.ts';
import { serverCpuSeconds, serverMemoryMb } from '../cluster/database.ts';
import { cpuSeconds, residentMb } from '../machine.ts';
import type { Running } from '../server.ts';

export type Product = 'gazetteer' | 'hapi';

export interface Contestant {
  /** The name in the tables. */
  readonly name: string;
  readonly product: Product;
  readonly server: Running;
  /** The path of the FHIR service. */
  readonly base: string;
  /** The headers of each request. */
  readonly headers: Readonly<Record<string, string>>;
  readonly postgres?: PostgresServer;
  /** The database of the server in `postgres`. */
  readonly database?: string;
}

export interface Usage {
  readonly server: number;
  /** NaN if there is no database server. */
  readonly database: number;
}

/** The CPU time so far, in seconds. */
export function cpuOf({ server, postgres }: Contestant): Usage {
  return {
    server: cpuSeconds(server.process.pid),
    database: postgres === undefined ? Number.NaN : serverCpuSeconds(postgres),
  };
}

/** The memory now, in megabytes. */
export function memoryOf({ server, postgres }: Contestant): Usage {
  return {
    server: residentMb(server.process.pid),
    database: postgres === undefined ? Number.NaN : serverMemoryMb(postgres),
  };
}

/** Sends a single request. Throws if the answer is an error. */
export async function ask(
  { server, base, headers }: Contestant,
  path: string,
  request: RequestInit = {},
): Promise<Response> {
  const answer = await fetch(`http://127.0.0.1:${server.port}${base}${path}`, {
    ...request,
    headers: { ...headers, ...(request.headers as Record<string, string> | undefined) },
    signal: AbortSignal.timeout(ANSWER_MS_MAX),
  });
  if (answer.ok) return answer;
  throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
}

/** A late page of a search that HAPI FHIR has not stored yet can take this long. */
const ANSWER_MS_MAX = 300_000;
