/** Reads a token or a key from the file that a setting names. */
import { readFileSync } from 'node:fs';
import { requireReadableFiles } from '../config/load-config.ts';
import type { SettingPath } from '../config/settings.ts';
import { CommandError } from './command.ts';

/** `what` names the content in a message, such as `a bearer token`, and `form` its rule. */
export function readSecretFile(
  file: string,
  path: SettingPath,
  what: string,
  isValid: (text: string) => boolean,
  form = '',
): string {
  requireReadableFiles({ [path]: file });
  const text = readFileSync(file, 'utf8').trim();
  if (isValid(text)) return text;
  const [, noun] = what.split(/ (?=\w+$)/);
  throw new CommandError(
    `${file} does not contain ${what}. Put the ${noun} alone on its first line.${form}`,
  );
}
