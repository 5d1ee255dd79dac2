/** Where notifications may go: the hosts of the setting, and the addresses behind them. */
import assert from 'node:assert/strict';
import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { describe, it } from 'node:test';
import { AllowedHosts, isHostEntry } from '../../src/orders/subscriptions/allowed-hosts.ts';

describe('the setting', () => {
  for (const entry of ['hooks.example', 'hooks.example:8443', '10.0.0.1', '[::1]:80', '[::1]']) {
    it(`takes ${entry}`, () => assert.ok(isHostEntry(entry)));
  }
  for (const entry of [
    '',
    'https://hooks.example',
    'a/b',
    'a:b',
    'user@host',
    '::1',
    'a b',
    'a:99999',
    'a:0',
  ]) {
    it(`refuses "${entry}"`, () => assert.ok(!isHostEntry(entry)));
  }
});

describe('an endpoint', () => {
  const hosts = new AllowedHosts(['Hooks.example:8443', 'any.example', '127.0.0.1', '[::1]:9000']);
  const allowed = [
    'https://hooks.example:8443/a?b',
    'https://ANY.example/',
    'https://any.example:1234/',
    'http://127.0.0.1:5/',
    'http://0x7f.1/',
    'http://[::1]:9000/',
  ];
  for (const url of allowed) {
    it(`${url} is allowed`, () => assert.equal(hosts.refusalOf(url), undefined));
  }
  const refused = [
    'https://hooks.example/',
    'https://a.any.example/',
    'https://any.example.evil/',
    'http://any.example/',
    'http://[::1]:9001/',
    'http://127.0.0.2/',
    'https://user@any.example/',
    'https://any.example/#a',
    'file:///etc/passwd',
  ];
  for (const url of refused) it(`${url} is refused`, () => assert.ok(hosts.refusalOf(url)));
});

/** The addresses that a lookup for a connection gives. */
async function addressesFor(entries: string[], url: string, resolved: string[]) {
  const system: LookupFunction = (_name, _options, callback) =>
    callback(
      null,
      resolved.map(
        (address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 }),
      ),
    );
  const { hostname } = new URL(url);
  const lookup = new AllowedHosts(entries).lookupFor(url, system);
  const found = Promise.withResolvers<LookupAddress[]>();
  lookup(hostname, { all: true }, (error, addresses) =>
    error === null ? found.resolve(addresses as LookupAddress[]) : found.reject(error),
  );
  return (await found.promise).map(({ address }) => address);
}

describe('the address of a connection', () => {
  const url = 'https://hooks.example/';
  const inside = [
    '10.1.2.3',
    '127.0.0.1',
    '169.254.169.254',
    '192.168.0.1',
    '172.31.0.1',
    '100.64.0.1',
    '0.0.0.0',
    '::1',
    '::',
    'fd00::1',
    'fe80::1',
    '::ffff:10.0.0.1',
    '64:ff9b::a00:1',
    '::a00:1',
    '::ffff:0:a00:1',
    '2001:0:a00:1::',
    '100::1',
    '2002:a00:1::',
    '255.255.255.255',
    '224.0.0.1',
    'ff02::1',
  ];
  for (const address of inside) {
    it(`is never ${address}, unless the setting names it`, async () => {
      await assert.rejects(addressesFor(['hooks.example'], url, [address]), {
        name: 'AddressRefused',
        message: new RegExp(`private address ${address.replaceAll('.', '\\.')}`),
      });
      const name = address.includes(':') ? `[${address}]` : address;
      if (name === '[::ffff:10.0.0.1]') return; // A URL has another form of it.
      assert.deepEqual(await addressesFor(['hooks.example', name], url, [address]), [address]);
    });
  }

  it('is one of the public ones', async () => {
    const all = ['10.0.0.1', '198.51.100.7', '2001:db8::1'];
    assert.deepEqual(await addressesFor(['hooks.example'], url, all), all.slice(1));
  });

  it('may be that of this machine for localhost', async () => {
    const found = await addressesFor(['localhost'], 'http://localhost:1/', [
      '127.0.0.1',
      '10.0.0.1',
    ]);
    assert.deepEqual(found, ['127.0.0.1']);
  });

  it('may have another port than the setting only without one', async () => {
    const entries = ['hooks.example', '10.0.0.1:8443'];
    await assert.rejects(addressesFor(entries, url, ['10.0.0.1']));
    assert.deepEqual(await addressesFor(entries, 'https://hooks.example:8443/', ['10.0.0.1']), [
      '10.0.0.1',
    ]);
  });
});
