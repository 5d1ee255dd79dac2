/** Reads the file with settings that `--config` names. */
import { readFileSync } from 'node:fs';
import { type ConfigSources, requireReadableFiles } from '../../config/load-config.ts';

/** Empty without a name. Throws a `ConfigError` if the file cannot be read. */
export function settingsFile(name: unknown): Pick<ConfigSources, 'file'> {
  if (typeof name !== 'string') return {};
  requireReadableFiles({ '--config': name });
  // Some editors begin a file with a byte order mark.
  return { file: { name, text: readFileSync(name, 'utf8').replace(/^\uFEFF/, '') } };
}
