/** The settings of the directory that change how Organizations are written and understood. */
import { loadConfig } from '../config/load-config.ts';
import { type Config, type SettingPath, sectionOf } from '../config/settings.ts';
import type { DirectorySettings } from '../directory/settings.ts';

/** What an Organization's URIs depend on. */
export const URI_SETTINGS: readonly SettingPath[] = [
  'directory.organizationCodeSystem',
  'directory.activePeriodUrl',
  'directory.dateTypeUrl',
  'directory.roleUrl',
  'directory.primaryRoleUrl',
  'directory.roleSystem',
  'directory.recordClassSystem',
  'directory.uprnUrl',
];

/** The settings by which a source is understood: as configured, and as they are by default. */
export function settingsUnderstood(config: Config): readonly DirectorySettings[] {
  const defaults = loadConfig({ flags: {}, environment: {} });
  return [sectionOf(config, 'directory'), sectionOf(defaults, 'directory')];
}
