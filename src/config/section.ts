/** The settings of a part of the program. It loads none of the checks that `settings.ts` needs. */
import type { Config, SettingPath } from './settings.ts';

/** The settings below a path as a separate object: `directory` for the directory service. */
export type Section<S extends string> = {
  readonly [P in SettingPath as P extends `${S}.${infer Name}` ? Name : never]: Config[P];
};

export function sectionOf<S extends string>(config: Config, section: S): Section<S> {
  const prefix = `${section}.`;
  return Object.fromEntries(
    Object.entries(config).flatMap(([path, value]) =>
      path.startsWith(prefix) ? [[path.slice(prefix.length), value]] : [],
    ),
  ) as Section<S>;
}
