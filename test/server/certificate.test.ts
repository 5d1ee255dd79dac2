/** The files of TLS: what is wrong with them is said in words. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { readCertificate } from '../../src/server/sockets/certificate.ts';
import { SAMPLE } from '../journeys/program.ts';

const file = (name: string) => join(import.meta.dirname, 'tls', name);
const [FIRST, FIRST_KEY, SECOND_KEY] = ['first.pem', 'first-key.pem', 'second-key.pem'].map(file);

const CASES = [
  [SAMPLE, SAMPLE, 'the first file has no certificate'],
  [FIRST, SAMPLE, 'the second file has no private key, or an encrypted one'],
  [FIRST, FIRST, 'the second file has no private key, or an encrypted one'],
  [FIRST_KEY, FIRST_KEY, 'the first file has no certificate'],
  [FIRST, SECOND_KEY, 'the private key belongs to another certificate'],
] as const;
for (const [certificate = '', key = '', problem] of CASES) {
  it(`${certificate} with ${key} is refused: ${problem}`, () => {
    assert.throws(() => readCertificate({ certificate, key }), {
      name: 'ServerError',
      message: `${certificate} and ${key} are not a certificate and its key in PEM: ${problem}.`,
    });
  });
}

it('a certificate with its key is read', () => {
  const { cert } = readCertificate({ certificate: FIRST ?? '', key: FIRST_KEY ?? '' });
  assert.match(cert, /^-----BEGIN CERTIFICATE-----/);
});
