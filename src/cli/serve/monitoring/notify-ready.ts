/**
 * Tells systemd that the server listens: https://www.freedesktop.org/software/systemd/man/sd_notify.html
 * The message is a datagram on a Unix socket. Node cannot send it, so a program of systemd does.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Log } from '../../../server/monitoring/log.ts';

const run = promisify(execFile);

/** Does nothing if systemd does not wait for the message. */
export async function notifyReady(
  environment: Readonly<Record<string, string | undefined>>,
  log: Pick<Log, 'report'>,
): Promise<void> {
  if (environment.NOTIFY_SOCKET === undefined) return;
  try {
    await run('systemd-notify', ['--ready'], { env: environment, timeout: TIMEOUT_MS });
  } catch (error) {
    const reason = error instanceof Error ? error.message.trim() : error;
    const problem = `${reason}. Install systemd-notify, or set Type=exec in the unit.`;
    log.report('GZ107', { problem });
  }
}

const TIMEOUT_MS = 10_000;
