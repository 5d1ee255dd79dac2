/** What the server derives from its settings and from the machine before it starts, and prints of them. */
import { isIP, isIPv6 } from 'node:net';
import { availableParallelism } from 'node:os';
import { readKeyHashes } from '../../auth/api-keys.ts';
import { requireAuthFiles } from '../../auth/authenticator.ts';
import { type OwnPublicKey, openOwnKey, publicKeyOf } from '../../auth/own-key.ts';
import { usesOwnKey } from '../../auth/settings.ts';
import { ConfigError, type Settled } from '../../config/load-config.ts';
import { sectionOf } from '../../config/section.ts';
import type { Setting } from '../../config/settings/setting.ts';
import { type Config, SETTINGS } from '../../config/settings.ts';
import { describeError, type Log, type LogFormat } from '../../server/monitoring/log.ts';
import type { Certificate } from '../../server/sockets/certificate.ts';
import { canSharePort } from '../../server/sockets/port.ts';
import type { Threads } from '../../server/threads.ts';
import { writeKeyFile } from '../../storage/files/key-file.ts';
import { logoProblem } from '../../web/parts/logo.ts';
import { CommandError, isExplained } from '../parts/command.ts';
import { tableText } from '../parts/output.ts';
import { givesTokens, hasPages } from './threads/serve-thread-data.ts';

/** Throws if the settings leave nothing to serve. */
export function requireService(config: Config): void {
  if (config['mcp.enabled'] && !config['directory.enabled']) {
    throw new ConfigError(
      'mcp.enabled is set, but the server does not serve the directory. ' +
        'Set mcp.enabled to false, or directory.enabled to true.',
    );
  }
  if (config['directory.enabled'] || config['orders.enabled']) return;
  throw new ConfigError(
    'directory.enabled and orders.enabled are both false. Set one of them to true.',
  );
}

/** Throws if the server would take the port of its own health and metrics. */
export function requireOwnPorts(config: Config): void {
  const { host, port, 'metrics.host': metricsHost, 'metrics.port': metricsPort } = config;
  if (port !== metricsPort || port === 0 || !shareAddress(host, metricsHost)) return;
  throw new ConfigError(
    `port and metrics.port are both ${port}. ` +
      'Give each its own port, or set metrics.port to off, which switches health and metrics off.',
  );
}

/** Whether two addresses to listen on have an address in common. Names count as all addresses. */
function shareAddress(one: string, other: string): boolean {
  const [a, b] = [addressOf(one), addressOf(other)];
  if (a === b || a === ALL || b === ALL) return true;
  if (a === LOCALHOST || b === LOCALHOST) {
    const address = a === LOCALHOST ? b : a;
    return isIP(address) === 0 || address === ALL_IPV4 || LOOPBACK.test(address);
  }
  const [ofA, ofB] = [isIP(a), isIP(b)];
  if (ofA === 0 || ofB === 0) return true;
  return ofA === ofB && (a === ALL_IPV4 || b === ALL_IPV4);
}

function addressOf(host: string): string {
  const [address = ''] = host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .split('%');
  return isIPv6(address) ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address;
}

/** Linux listens on this for IPv4 too. */
const ALL = '::';
const ALL_IPV4 = '0.0.0.0';
const LOCALHOST = 'localhost';

/** Throws if the pages are to give tokens that the server does not accept. */
export function requireAcceptedTokens(config: Config): void {
  if (!givesTokens(config) || usesOwnKey(sectionOf(config, 'auth'))) return;
  throw new ConfigError(
    'pages.giveTokens is set, but the server does not accept tokens of "gazetteer token". ' +
      'Set pages.giveTokens to false, or auth.ownKey to true.',
  );
}

/** Throws if a file that a setting names cannot be used. */
export async function requireFiles(config: Config): Promise<void> {
  const logo = config['pages.enabled'] ? config['pages.logo'] : undefined;
  const problem = logo === undefined ? undefined : logoProblem(logo);
  if (problem !== undefined) throw new CommandError(problem);
  if (checksTokens(config)) requireAuthFiles(sectionOf(config, 'auth'));
  const sources = config['directory.source'];
  if (sources !== undefined) {
    const { prepareSources } = await import('../sources/fetch-sources.ts');
    prepareSources(sources, config);
  }
  if (hasWebhooks(config)) {
    const { webhooksOf } = await import('./deliveries/serve-webhooks.ts');
    webhooksOf(config);
  }
  if (config['subscriptions.caFile'] !== undefined) {
    const { receiverAuthoritiesOf } = await import('../subscriptions/receivers.ts');
    receiverAuthoritiesOf(config);
  }
  const apiKeys = config['directory.enabled'] ? config['directory.r4.apiKeys'] : undefined;
  if (apiKeys !== undefined) readKeyHashes(apiKeys);
}

export function logFormatOf(config: Config, isTerminal: boolean | undefined): LogFormat {
  const format = config['log.format'];
  if (format !== 'auto') return format;
  return isTerminal ? 'text' : 'json';
}

/** The public address, without a slash at the end. */
export function serverUrlOf(config: Config, port: number, log: Log): string {
  if (config.baseUrl !== undefined) return config.baseUrl;
  const scheme = config['tls.certificate'] === undefined ? 'http' : 'https';
  const url = `${scheme}://localhost:${port}`;
  if (!LOOPBACK.test(config.host)) {
    log.report('GZ102', { host: config.host, url });
  }
  return url;
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1|\[::1\])$/;

export function threadCount(config: Config, log: Log): number {
  const wanted = config.threads ?? availableParallelism();
  if (wanted === 1 || canSharePort()) return wanted;
  log.report('GZ103', {});
  return 1;
}

/** The key of `gazetteer token`, where the server accepts its tokens. */
export function ownKeyOf(config: Config, file: string): OwnPublicKey | undefined {
  if (!checksTokens(config) || !usesOwnKey(sectionOf(config, 'auth'))) return undefined;
  return publicKeyOf(openOwnKey(file, writeKeyFile));
}

function checksTokens(config: Config): boolean {
  return config['orders.enabled'] || config['directory.authenticate'];
}

/**
 * The addresses that the server prints for a person at a terminal. `operationUrl` is the address of
 * health and metrics, if the server has them.
 */
export async function addressesText(
  config: Config,
  serverUrl: string,
  operationUrl: string | undefined,
): Promise<string> {
  // The start of a server does not wait for the modules of all faces.
  const { DIRECTORY_FACES } = await import('../../interfaces/served-faces.ts');
  const directory = sectionOf(config, 'directory');
  const faces = DIRECTORY_FACES.map((face) => [face.title, serverUrl + face.pathOf(directory)]);
  const rows = [
    ...(config['directory.enabled'] ? [...faces, ['ORD', serverUrl + directory['ord.path']]] : []),
    ...(config['mcp.enabled'] ? [['Tools for assistants', `${serverUrl}/mcp`]] : []),
    ...(config['orders.enabled'] ? [['Order responses', serverUrl]] : []),
    ...(operationUrl === undefined ? [] : [['Health', `${operationUrl}/readyz`]]),
  ];
  const list = tableText(rows.map((row) => ['', ...row]));
  const first = hasPages(config) ? `  Open ${serverUrl}/\n` : '';
  return `\n${first}${list}  Ctrl+C stops the server.\n\n`;
}

/** Whether the server announces editions. */
export function hasWebhooks(config: Config): boolean {
  const { 'subscriptions.webhooks': urls, 'subscriptions.webhooksFile': file } = config;
  return urls !== undefined || file !== undefined;
}

/** The text of `--print-config`: a line for each setting: its path, its source, and its value as JSON. */
export function configText({ config, origins }: Settled): string {
  return tableText(
    Object.entries(config).map(([path, value]) => [
      path,
      origins[path] ?? '',
      valueText(path, value),
    ]),
  );
}

function valueText(path: string, value: unknown): string {
  const setting = SETTINGS_BY_PATH.get(path);
  if (value === undefined) return setting?.unset === undefined ? '-' : `(${setting.unset})`;
  if (setting?.isSecret === true) return '(not shown)';
  return JSON.stringify(setting?.shown === undefined ? value : setting.shown(String(value)));
}

const SETTINGS_BY_PATH: ReadonlyMap<string, Setting> = new Map(Object.entries(SETTINGS));

/** The fields of a line of the log about an error: what to do, or where the program is at fault. */
export function errorDetails(error: unknown): { readonly problem: string } | { err: object } {
  const isKnown = error instanceof Error && isExplained(error);
  return isKnown ? { problem: error.message } : { err: describeError(error) };
}

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
  const { readCertificate, validUntil } = await import('../../server/sockets/certificate.ts');
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
        log.report('GZ130', errorDetails(error));
      }
    },
  };
}
