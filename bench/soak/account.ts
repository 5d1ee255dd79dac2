/** The account of a run: what is stored at the end, beside every write that was acknowledged. */
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { isDeepStrictEqual } from 'node:util';
import { resourceWith } from '../../test/journeys/orders-load.ts';
import { start } from '../../test/journeys/program.ts';

/** The mark of a stored version, and its address `id/version`. */
export type Stored = readonly [mark: string, address: string];

export interface StoredOrders {
  readonly stored: readonly Stored[];
  /** Versions whose content is not what a client sent. */
  readonly faults: readonly string[];
}

/** Reads every version back. `environment`: the variables that say where the data is. */
export async function readStoredOrders(
  environment: Readonly<Record<string, string>>,
): Promise<StoredOrders> {
  const child = start(['orders', 'export'], { environment });
  let stderr = '';
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  const exited = once(child, 'exit');
  const orders = await compareOrders(createInterface({ input: child.stdout! }));
  const [code] = await exited;
  if (code !== 0) throw new Error(`orders export ended with ${code}: ${stderr}`);
  return orders;
}

/** `lines`: each a version as JSON. */
export async function compareOrders(lines: AsyncIterable<string>): Promise<StoredOrders> {
  const stored: Stored[] = [];
  const faults: string[] = [];
  for await (const line of lines) {
    const { id, meta, identifier, ...content } = JSON.parse(line);
    if (content.resourceType !== 'OrderResponse') continue;
    const address = `${id}/${meta.versionId}`;
    stored.push([content.description, address]);
    if (!isDeepStrictEqual(content, resourceWith(content.description))) {
      faults.push(`${address} is not what a client sent: ${line}`);
    }
  }
  return { stored, faults };
}
