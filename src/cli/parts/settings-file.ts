/** Reads the file with settings that `--config` names. */
import { readFileSync } from 'node:fs';
import { ConfigError, type ConfigSources, requireReadableFiles } from '../../config/load-config.ts';

const DEPTH_MAX = 64;

/** Empty without a name. Rejects with a `ConfigError` if the file cannot be read, or is not JSON. */
export async function settingsFile(name: unknown): Promise<Pick<ConfigSources, 'file'>> {
  if (typeof name !== 'string') return {};
  requireReadableFiles({ '--config': name });
  // Some editors begin a file with a byte order mark.
  const text = readFileSync(name, 'utf8').replace(/^\uFEFF/, '');
  await requireJson(name, text);
  return { file: { name, text } };
}

/** `JSON.parse` does not say where a text ends to be JSON, and takes the last of two equal names. */
async function requireJson(file: string, text: string): Promise<void> {
  // A start without the option does not wait for these modules.
  const [{ readJson }, { MalformedBody, startBudget }] = await Promise.all([
    import('../../fhir/format/json.ts'),
    import('../../fhir/format/limits.ts'),
  ]);
  try {
    const { duplicates } = readJson(text, startBudget({ depthMax: DEPTH_MAX }));
    const names = [...duplicates.values()].flat();
    if (names.length === 0) return;
    const lines = names.map(
      (each) => `${file} has ${JSON.stringify(each)} twice in one object. Remove one of them.`,
    );
    throw new ConfigError([...new Set(lines)].join('\n'));
  } catch (error) {
    if (!(error instanceof MalformedBody)) throw error;
    const before = text.slice(0, error.offset).split('\n');
    const place = `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
    const problem = error.message.replace(/^The body/, file).replace(/\.$/, '');
    throw new ConfigError(
      `${problem} (${place}). Correct the file, or name another one with --config.`,
    );
  }
}
