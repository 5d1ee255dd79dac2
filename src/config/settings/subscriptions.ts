/** The settings of subscriptions: where notifications may go, and how long the server tries. */
import { originOf } from './addresses.ts';
import { choice, file, list, whole } from './setting.ts';

export const SUBSCRIPTION_SETTINGS = {
  'subscriptions.allowedHosts': list(
    (text) =>
      /^(\[[\da-f:.]+\]|[^\s:/?#@[\]]+)(:[1-9]\d{0,4})?$/i.test(text) &&
      URL.canParse(`https://${text}`),
    'must be hosts, such as hooks.example or hooks.example:8443, separated by commas',
    'The hosts that may get notifications, as HOST or HOST:PORT, separated by commas',
    'none',
  ),
  'subscriptions.caFile': file(
    'The PEM file of the certificate authorities to trust for receivers of notifications',
    'the authorities that Node trusts',
  ),
  'subscriptions.updates': choice(
    ['creator', 'anyone'],
    'creator',
    'Which clients may update and delete a subscription',
  ),
  'subscriptions.countMax': whole(
    { min: 1, max: 100_000, default: 1000 },
    'The most subscriptions of all clients. Each one makes every write a little slower',
  ),
  'subscriptions.perClientMax': whole(
    { min: 1, max: 100_000, default: 100 },
    'The most subscriptions that one client can create',
  ),
  'subscriptions.timeoutSeconds': whole(
    { min: 1, max: 300, default: 10 },
    'The seconds within which a receiver must answer a notification',
  ),
  'subscriptions.giveUpMinutes': whole(
    { min: 1, max: 43_200, default: 1440 },
    'The minutes for which deliveries can fail before a subscription gets the status error',
  ),
  'subscriptions.webhooks': list(
    (text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol),
    'must be https URLs, or http URLs of localhost or of private addresses, separated by commas',
    'The URLs that the server posts to when another edition of the directory is current, separated by commas',
    'none',
    { shown: (urls) => urls.split(',').map(originOf).join(',') },
  ),
  'subscriptions.webhooksFile': file(
    'The file with further URLs to post to when another edition is current, one on each line. ' +
      'Lines that begin with # do not count',
    'none',
  ),
  'subscriptions.webhookSecretFile': file(
    'The file with the secret, of 16 to 256 characters, that signs these posts',
    'no signature',
  ),
} as const;
