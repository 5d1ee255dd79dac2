/** The text of `--print-config`: the effective settings and the source of each. */
import type { Settled } from '../config/load-config.ts';
import type { Setting } from '../config/setting.ts';
import { SETTINGS } from '../config/settings.ts';

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
  if (value === undefined) return '-';
  return SECRETS.has(path) ? '(not shown)' : JSON.stringify(value);
}

const SECRETS = new Set(
  Object.entries(SETTINGS).flatMap(([path, setting]: [string, Setting]) =>
    setting.isSecret === true ? [path] : [],
  ),
);
