/** The receivers that the operator names for new editions, checked before the server starts. */
import { readFileSync } from 'node:fs';
import { ConfigError } from '../../../config/load-config.ts';
import type { Config } from '../../../config/settings.ts';
import { AllowedHosts } from '../../../subscriptions/allowed-hosts.ts';

export interface WebhookSettings {
  readonly urls: readonly string[];
  readonly secret: string | undefined;
}

const NO_CREDENTIALS =
  'Remove them. The receiver can check the signature instead: set subscriptions.webhookSecretFile.';

/** Throws a `ConfigError` that names the remedy. */
export function webhooksOf(config: Config): WebhookSettings {
  const { 'subscriptions.webhooks': urls = [], 'subscriptions.webhookSecretFile': file } = config;
  if (!config['directory.enabled']) {
    throw new ConfigError(
      'subscriptions.webhooks is set, but directory.enabled is false. Serve the directory, or ' +
        'remove subscriptions.webhooks.',
    );
  }
  const hosts = new AllowedHosts(config['subscriptions.allowedHosts']);
  const problems = urls.flatMap((url) => {
    const refusal = hosts.refusalOf(url, NO_CREDENTIALS);
    // The path can be a secret.
    const shown = new URL(url).origin;
    return refusal === undefined ? [] : [`subscriptions.webhooks: ${shown} is refused. ${refusal}`];
  });
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  return { urls: [...new Set(urls)], secret: file === undefined ? undefined : secretIn(file) };
}

function secretIn(file: string): string {
  const secret = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  if (/^.{16,256}$/s.test(secret)) return secret;
  throw new ConfigError(`${file}: the secret of webhooks must have 16 to 256 characters.`);
}
