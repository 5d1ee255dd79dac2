/** The settings of the directory that change how Organizations are written and read. */
import { loadConfig } from '../../config/load-config.ts';
import { sectionOf } from '../../config/section.ts';
import type { Config, SettingPath } from '../../config/settings.ts';
import type { DirectorySettings } from '../../directory/settings.ts';

/** The settings that the URIs of an Organization depend on. */
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

/** A source is read with these settings: the configured ones, and the defaults. */
export function settingsUnderstood(config: Config): readonly DirectorySettings[] {
  const defaults = loadConfig({ flags: {}, environment: {} });
  return [sectionOf(config, 'directory'), sectionOf(defaults, 'directory')];
}
