/** The text of `--print-config`: the effective settings and the source of each. */
import type { Settled } from '../../config/load-config.ts';
import type { Setting } from '../../config/setting.ts';
import { SETTINGS } from '../../config/settings.ts';

/** A line for each setting: its path, its source, and its value as JSON. */
export function configText({ config, origins }: Settled): string {
  const rows = Object.entries(config).map(([path, value]) => [
    path,
    origins[path] ?? '',
    valueText(path, value),
  ]);
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) => `${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  ')}\n`)
    .join('');
}

function valueText(path: string, value: unknown): string {
  const setting = SETTINGS_BY_PATH.get(path);
  if (value === undefined) return setting?.unset === undefined ? '-' : `(${setting.unset})`;
  if (setting?.isSecret === true) return '(not shown)';
  return JSON.stringify(setting?.shown === undefined ? value : setting.shown(String(value)));
}

const SETTINGS_BY_PATH: ReadonlyMap<string, Setting> = new Map(Object.entries(SETTINGS));
