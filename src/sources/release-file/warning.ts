/** A warning about a record of a source. */
import type { WarningKind } from '../../directory/import/source.ts';

export interface Warning {
  readonly kind: WarningKind;
  readonly detail?: string;
}
