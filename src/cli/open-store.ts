/** Opens the store that the settings name: a database, or the data folder. */
import { sectionOf } from '../config/section.ts';
import type { Config, SettingPath } from '../config/settings.ts';
import { openServerStore, openStore, storeUrlOf } from '../storage/open.ts';
import type { ServerStore, Store, StoreOptions } from '../storage/store.ts';

/** The settings of commands that use editions. */
export const STORE_SETTINGS: readonly SettingPath[] = [
  'data',
  'database.url',
  'database.passwordFile',
  'database.caFile',
];

/** The settings of commands that use order responses. */
export const ORDER_STORE_SETTINGS: readonly SettingPath[] = [
  ...STORE_SETTINGS,
  'orders.auditKeyFile',
];

export function openConfiguredStore(config: Config): Promise<Store> {
  const { url, options } = storeAddressOf(config);
  return openStore(url, options);
}

/** The part of the store that servers and imports need. */
export function openConfiguredServerStore(config: Config): Promise<ServerStore> {
  const { url, options } = storeAddressOf(config);
  return openServerStore(url, options);
}

export function storeAddressOf(config: Config): { url: string; options: StoreOptions } {
  const { url = storeUrlOf(config.data), ...database } = sectionOf(config, 'database');
  const auditKeyFile = config['orders.auditKeyFile'];
  return { url, options: { ...database, dataFolder: config.data, auditKeyFile } };
}
