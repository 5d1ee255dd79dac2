/** The receivers of notifications, as the settings describe them, and the certificate authorities that check them. */
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ConfigError } from '../../config/load-config.ts';
import type { Config } from '../../config/settings.ts';
import { AllowedHosts } from '../../orders/subscriptions/allowed-hosts.ts';
import { SYSTEM_CLOCK } from '../../orders/subscriptions/clock.ts';
import { createReceivers, type Receivers } from '../../orders/subscriptions/receivers.ts';

/** Throws as `receiverAuthoritiesOf`. */
export function configuredReceivers(config: Config): Receivers {
  return createReceivers({
    hosts: new AllowedHosts(config['subscriptions.allowedHosts']),
    timeoutMs: config['subscriptions.timeoutSeconds'] * 1000,
    ca: receiverAuthoritiesOf(config),
    now: SYSTEM_CLOCK.now,
  });
}

/**
 * The text of `subscriptions.caFile`, in PEM; undefined if it is not set. Throws a `ConfigError` that
 * names the remedy if the file has no certificate, because no receiver would then be trusted.
 */
export function receiverAuthoritiesOf(config: Config): string | undefined {
  const file = config['subscriptions.caFile'];
  if (file === undefined) return undefined;
  const text = readFileSync(file, 'utf8');
  try {
    new X509Certificate(text);
    return text;
  } catch {
    throw new ConfigError(
      `subscriptions.caFile: ${file} has no valid certificate in PEM. Name the file with the ` +
        'certificates of your authorities, or remove subscriptions.caFile.',
    );
  }
}
