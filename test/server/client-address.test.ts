/** The address of a client: that of the peer, or the one that a trusted proxy names. */
import assert from 'node:assert/strict';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { it } from 'node:test';
import { createClientAddressOf } from '../../src/server/request-parts.ts';

it('X-Forwarded-For counts from its end, as far as proxies are trusted', () => {
  const cases: readonly (readonly [
    proxies: string[],
    peer: string,
    forwarded: string | undefined,
    client: string,
  ])[] = [
    [[], '10.0.0.1', '1.2.3.4', '10.0.0.1'],
    [['10.0.0.1'], '10.0.0.1', undefined, '10.0.0.1'],
    [['10.0.0.1'], '10.0.0.1', '1.2.3.4', '1.2.3.4'],
    [['10.0.0.1'], '10.0.0.2', '1.2.3.4', '10.0.0.2'],
    [['10.0.0.1'], '::ffff:10.0.0.1', '1.2.3.4', '1.2.3.4'],
    [['10.0.0.1'], '10.0.0.1', '6.6.6.6, 1.2.3.4', '1.2.3.4'],
    [['10.0.0.0/8'], '10.9.9.9', '6.6.6.6, 1.2.3.4, 10.0.0.7', '1.2.3.4'],
    [['10.0.0.0/8'], '10.9.9.9', '10.0.0.8,10.0.0.7', '10.0.0.8'],
    [['10.0.0.0/8'], '10.9.9.9', 'unknown', '10.9.9.9'],
    [['10.0.0.0/8'], '10.9.9.9', '1.2.3.4, nonsense', '10.9.9.9'],
    [['fd00::/8'], 'fd00::1', '2001:db8::5', '2001:db8::5'],
    [['fd00::/8'], 'fd00::1', '[2001:db8::5]:443', '2001:db8::5'],
    [['fd00::/8'], 'fd00::1', '1.2.3.4:5678', '1.2.3.4'],
    [['fd00::/8'], '2001:db8::1', '1.2.3.4', '2001:db8::1'],
    [['10.0.0.1'], '10.0.0.1', '"6.6.6.6, 1.2.3.4', '1.2.3.4'],
    [[], '::ffff:10.0.0.1', undefined, '10.0.0.1'],
  ];
  for (const [proxies, peer, forwarded, client] of cases) {
    const socket = new Socket();
    Object.defineProperty(socket, 'remoteAddress', { value: peer });
    const incoming = new IncomingMessage(socket);
    if (forwarded !== undefined) incoming.headers['x-forwarded-for'] = forwarded;
    assert.equal(createClientAddressOf(proxies)(incoming), client, `${peer} for ${forwarded}`);
  }
});
