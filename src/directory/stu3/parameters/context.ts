/** What the parsers of parameter values need to know besides the values. */
import type { DirectorySettings } from '../../settings.ts';

export interface ParameterContext {
  readonly settings: DirectorySettings;
  /** The systems that a role may be written with. */
  readonly roleSystems: ReadonlySet<string>;
}
