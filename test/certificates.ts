/** Certificates of tests, made with openssl. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Why a test that makes certificates is skipped. */
export function withoutOpenssl(): string | false {
  return spawnSync('openssl', ['version']).status === 0 ? false : 'there is no openssl here';
}

const EC = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];

/** Writes `NAME.key` and `NAME.crt`: for `localhost` and signed by an authority, or by itself. */
export function makeCertificate(name: string, subject: string, authority?: string): void {
  const openssl = (...words: string[]) => {
    const { status, stderr } = spawnSync('openssl', words, { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
  };
  const key = [...EC, '-nodes', '-keyout', `${name}.key`, '-subj', subject];
  if (authority === undefined) {
    openssl('req', '-x509', ...key, '-days', '2', '-out', `${name}.crt`);
    return;
  }
  openssl('req', '-new', ...key, '-out', `${name}.csr`);
  writeFileSync(`${name}.ext`, 'subjectAltName=DNS:localhost\n');
  const by = ['-CA', `${authority}.crt`, '-CAkey', `${authority}.key`, '-CAcreateserial'];
  openssl(
    'x509',
    '-req',
    '-in',
    `${name}.csr`,
    ...by,
    '-days',
    '2',
    '-extfile',
    `${name}.ext`,
    '-out',
    `${name}.crt`,
  );
}

/** Two authorities, as PEM, and a certificate for `localhost` of the first. `caFile` has the first. */
export function makeAuthorities(folder: string) {
  const [ca = '', otherCa = '', server = ''] = ['ca', 'other-ca', 'server'].map((name) =>
    join(folder, name),
  );
  makeCertificate(ca, '/CN=authority');
  makeCertificate(otherCa, '/CN=another authority');
  makeCertificate(server, '/CN=server', ca);
  return {
    caFile: `${ca}.crt`,
    ca: readFileSync(`${ca}.crt`, 'utf8'),
    otherCa: readFileSync(`${otherCa}.crt`, 'utf8'),
    tls: { cert: readFileSync(`${server}.crt`), key: readFileSync(`${server}.key`) },
  };
}
