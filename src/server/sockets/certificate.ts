/** Reads the certificate and the key of TLS from their files, and checks them before use. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { systemReason } from '../../fhir/request/system-reason.ts';
import { ServerError } from './port.ts';

/** In PEM: the certificate with its chain, and its key. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export interface CertificateFiles {
  readonly certificate: string;
  readonly key: string;
}

/** Throws a `ServerError` that names the files if they are not valid. */
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

/** Describes frequent mistakes; undefined for others, which OpenSSL describes. */
function problemOf({ cert, key }: Certificate): string | undefined {
  const certificate = parsed(() => new X509Certificate(cert));
  if (certificate === undefined) return 'the first file has no certificate';
  const privateKey = parsed(() => createPrivateKey(key));
  if (privateKey === undefined) return 'the second file has no private key, or an encrypted one';
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

/** The time when the certificate begins to be valid, as an ISO instant. */
export function validFrom({ cert }: Certificate): string {
  return new X509Certificate(cert).validFromDate.toISOString();
}

/** The time when the certificate expires, as an ISO instant. */
export function validUntil({ cert }: Certificate): string {
  return new X509Certificate(cert).validToDate.toISOString();
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ServerError(
      `Cannot read ${file}: ${systemReason(error)}. Check the path and the permissions.`,
    );
  }
}
