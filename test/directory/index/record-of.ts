/** Records for tests: what matters to a case is named, everything else is plain. */

import type { OrganizationRecord } from '../../../src/directory/record/record.ts';

export interface RecordParts {
  readonly code: string;
  readonly name?: string | undefined;
  readonly city?: string | undefined;
  readonly district?: string | undefined;
  readonly postalCode?: string | undefined;
  readonly country?: string | undefined;
  readonly isActive?: boolean;
  readonly lastUpdated?: string;
  /** A code without RC. */
  readonly recordClass?: string | undefined;
  /** The start of the operational period. */
  readonly opened?: string | undefined;
  /** Codes; the first is the primary role. A code with a `-` before it is of a role that has ended. */
  readonly roles?: readonly string[];
}

export function recordOf(parts: RecordParts): OrganizationRecord {
  const { code, name, city, district, postalCode, country, recordClass, opened } = parts;
  const address = {
    ...(city !== undefined && { city }),
    ...(district !== undefined && { district }),
    ...(postalCode !== undefined && { postalCode }),
    ...(country !== undefined && { country }),
  };
  return {
    code,
    ...(name !== undefined && { name }),
    isActive: parts.isActive ?? true,
    lastUpdated: parts.lastUpdated ?? '2020-01-01',
    ...(recordClass !== undefined && { recordClass }),
    periods: opened === undefined ? [] : [{ kind: 'Operational', start: opened }],
    roles: (parts.roles ?? ['177']).map((role, i) => ({
      code: role.replace('-', ''),
      isPrimary: i === 0,
      isActive: !role.startsWith('-'),
      periods: [],
    })),
    telecoms: [],
    ...(Object.keys(address).length > 0 && { address: { lines: [], ...address } }),
  };
}
