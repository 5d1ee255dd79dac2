/** Bundles of order responses, and a server that takes them. */
import type { TestContext } from 'node:test';
import type { OrderSettings } from '../../src/orders/order-response/settings.ts';
import { type Answer, EXAMPLE, startOrders } from './order-server.ts';
import { resourceIn, type WireFormat } from './wire-formats.ts';

export const FIRST = 'urn:uuid:0c3151bd-1cbf-4d64-b04d-cd9187a4c6e0';
export const SECOND = 'urn:uuid:88f151c0-a954-468a-88bd-5ae15c08e059';

export const create = { method: 'POST', url: 'OrderResponse' };
export const identified = (value: string) => ({
  ...EXAMPLE,
  identifier: [{ system: 'https://ids.example', value }],
});
export const referring = (...references: string[]) => ({
  ...EXAMPLE,
  fulfillment: references.map((reference) => ({ reference })),
});
/** In the order of the definitions, as the decoder of XML needs it. */
export const withId = (id: string, { resourceType, ...rest } = EXAMPLE) => ({
  resourceType,
  id,
  ...rest,
});

export async function setUp(
  context: TestContext,
  { type, encode }: WireFormat,
  settings: Partial<OrderSettings> = {},
) {
  const server = await startOrders({ allowDelete: true, ...settings });
  context.after(() => server.close());
  const send = (
    entry: readonly object[],
    headers: Record<string, string> = {},
    bundleType = 'transaction',
  ): Promise<Answer> => {
    const bundle = { resourceType: 'Bundle', type: bundleType, ...(entry.length > 0 && { entry }) };
    return server.send('POST', '', { 'content-type': type, ...headers }, encode(bundle));
  };
  const journal = () => server.store.journal.map(({ entry }) => entry);
  const read = async (id: string) =>
    resourceIn(await server.send('GET', `OrderResponse/${id}`, { accept: type }));
  return { server, send, journal, read };
}

export function idIn(location: string): string {
  return (
    /^http:\/\/orders\.test\/base\/OrderResponse\/([^/]+)\/_history\/\d+$/.exec(location)?.[1] ?? ''
  );
}
