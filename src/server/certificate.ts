/** The certificate and key of TLS, read from their files and tried before they are used. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { ServerError } from './server-error.ts';

/** In PEM: the certificate with those that lead from it to a root, and its key. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export interface CertificateFiles {
  readonly certificate: string;
  readonly key: string;
}

/** Throws a `ServerError` that names the file where they cannot be used. */
export function readCertificate(files: CertificateFiles): Certificate {
  const certificate = { cert: readText(files.certificate), key: readText(files.key) };
  try {
    createSecureContext(certificate);
  } catch (error) {
    throw new ServerError(
      `${files.certificate} and ${files.key} are not a certificate and its key in PEM: ` +
        `${problemOf(certificate) ?? (error instanceof Error ? error.message : error)}.`,
    );
  }
  return certificate;
}

/** The usual mistakes in words; undefined for others, which OpenSSL names itself. */
function problemOf({ cert, key }: Certificate): string | undefined {
  const certificate = parsed(() => new X509Certificate(cert));
  if (certificate === undefined) return 'the first holds no certificate';
  const privateKey = parsed(() => createPrivateKey(key));
  if (privateKey === undefined) return 'the second holds no private key, or an encrypted one';
  return certificate.checkPrivateKey(privateKey)
    ? undefined
    : 'the private key belongs to another certificate';
}

function parsed<Result>(parse: () => Result): Result | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}

/** Until when it holds: an ISO instant. */
export function validUntil({ cert }: Certificate): string {
  return new X509Certificate(cert).validToDate.toISOString();
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ServerError(`Cannot read ${file}: ${error instanceof Error ? error.message : error}`);
  }
}
