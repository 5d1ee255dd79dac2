/** The certificate of the server: read at the start, and again on a hang-up. */
import type { Config } from '../../config/settings.ts';
import {
  type Certificate,
  type CertificateFiles,
  readCertificate,
  validUntil,
} from '../../server/certificate.ts';
import { describeError, type Log } from '../../server/operations/log.ts';
import type { Threads } from '../../server/threads.ts';

export interface ServerCertificate {
  /** Gives the certificate to the threads. */
  use(threads: Pick<Threads<never>, 'secure'>): void;
  /** Reads the files again. Where that fails, the server logs it and keeps the old certificate. */
  reload(threads: Pick<Threads<never>, 'secure'>): void;
}

/** Undefined if the server does not use TLS. Throws if a file cannot be used. */
export function openCertificate(config: Config, log: Log): ServerCertificate | undefined {
  const { 'tls.certificate': certificate, 'tls.key': key } = config;
  if (certificate === undefined || key === undefined) return undefined;
  const files: CertificateFiles = { certificate, key };
  const first = readCertificate(files);
  const give = (read: Certificate, threads: Pick<Threads<never>, 'secure'>) => {
    threads.secure(read);
    log.info({ validUntil: validUntil(read) }, 'using certificate');
  };
  return {
    use: (threads) => give(first, threads),
    reload: (threads) => {
      try {
        give(readCertificate(files), threads);
      } catch (error) {
        log.report('GZ130', { err: describeError(error) });
      }
    },
  };
}
