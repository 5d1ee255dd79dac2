/** Records for tests: what matters to a case is named, everything else is plain. */

import type { OrganizationRecord } from '../../../src/directory/record.ts';

export interface RecordParts {
  readonly code: string;
  readonly name?: string | undefined;
  readonly city?: string | undefined;
  readonly postalCode?: string | undefined;
  readonly isActive?: boolean;
  readonly lastUpdated?: string;
  /** Codes; the first is the primary role. */
  readonly roles?: readonly string[];
}

export function recordOf(parts: RecordParts): OrganizationRecord {
  const { code, name, city, postalCode } = parts;
  const address = {
    lines: [],
    ...(city === undefined ? {} : { city }),
    ...(postalCode === undefined ? {} : { postalCode }),
  };
  return {
    code,
    ...(name === undefined ? {} : { name }),
    isActive: parts.isActive ?? true,
    lastUpdated: parts.lastUpdated ?? '2020-01-01',
    periods: [],
    roles: (parts.roles ?? ['177']).map((role, i) => ({
      code: role,
      isPrimary: i === 0,
      isActive: true,
      periods: [],
    })),
    telecoms: [],
    ...(city === undefined && postalCode === undefined ? {} : { address }),
  };
}
