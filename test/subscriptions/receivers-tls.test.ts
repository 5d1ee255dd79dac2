/** Receivers with a certificate: which ones the server trusts. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { AllowedHosts } from '../../src/orders/subscriptions/allowed-hosts.ts';
import { createReceivers } from '../../src/orders/subscriptions/receivers.ts';
import { makeAuthorities, withoutOpenssl } from '../certificates.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { startReceiver } from './delivery-place.ts';

const skip = withoutOpenssl();
const HOSTS = ['localhost', '127.0.0.1'];

it('a receiver gets a notification if its certificate is of a trusted authority and for its name', {
  skip,
}, async (context) => {
  const { tls, ca, otherCa } = makeAuthorities(temporaryFolder(context));
  const { received, port } = await startReceiver(context, undefined, tls);
  const post = async (host: string, trusted: string | undefined) => {
    const receivers = createReceivers({
      hosts: new AllowedHosts(HOSTS),
      ca: trusted,
      timeoutMs: 60_000,
      now: Date.now,
    });
    context.after(() => receivers.close());
    const outcome = await receivers.post(`https://${host}:${port}/`, {}, 'secret');
    return 'problem' in outcome ? outcome.problem : outcome.kind;
  };
  const untrusted =
    /does not trust the certificate .* \(UNABLE_TO_VERIFY_LEAF_SIGNATURE\)\. .*caFile/;
  assert.match(await post('localhost', undefined), untrusted);
  assert.match(await post('localhost', otherCa), untrusted);
  assert.match(await post('127.0.0.1', ca), /\(ERR_TLS_CERT_ALTNAME_INVALID\)/);
  assert.equal(received.length, 0);
  assert.equal(await post('localhost', ca), 'delivered');
  assert.equal(received[0]?.body, 'secret');
});
