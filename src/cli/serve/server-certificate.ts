/** The certificate of a server: its files, and what later versions of them change. */
import type { Config } from '../../config/settings.ts';
import type { Certificate } from '../../server/certificate.ts';
import { describeError, type Log } from '../../server/operations/log.ts';
import type { Threads } from '../../server/threads.ts';

export interface ServerCertificate {
  /** Gives the certificate to the threads. */
  use(threads: Pick<Threads<never>, 'secure'>): void;
  /** Reads the files again. Where that fails, the server logs it and keeps the old certificate. */
  reload(threads: Pick<Threads<never>, 'secure'>): void;
}

/** Undefined if the server does not use TLS, whose modules are then not loaded. */
export async function openTls(config: Config, log: Log): Promise<ServerCertificate | undefined> {
  const { 'tls.certificate': certificate, 'tls.key': key } = config;
  if (certificate === undefined || key === undefined) return undefined;
  const { readCertificate, validUntil } = await import('../../server/certificate.ts');
  const read = () => readCertificate({ certificate, key });
  const first = read();
  const give = (current: Certificate, threads: Pick<Threads<never>, 'secure'>) => {
    threads.secure(current);
    log.info({ validUntil: validUntil(current) }, 'using certificate');
  };
  return {
    use: (threads) => give(first, threads),
    reload: (threads) => {
      try {
        give(read(), threads);
      } catch (error) {
        log.report('GZ130', { err: describeError(error) });
      }
    },
  };
}
