/** The URIs that Organizations of a source are understood by: several for each thing. */

import type { DirectorySettings } from '../../directory/settings.ts';
import { roleSystemsOf } from '../../directory/stu3/role-systems.ts';

export interface UnderstoodUris {
  readonly organizationCodeSystem: ReadonlySet<string>;
  readonly activePeriod: ReadonlySet<string>;
  readonly dateType: ReadonlySet<string>;
  readonly role: ReadonlySet<string>;
  readonly primaryRole: ReadonlySet<string>;
  readonly roleSystem: ReadonlySet<string>;
  readonly recordClassSystem: ReadonlySet<string>;
  readonly uprn: ReadonlySet<string>;
}

/** Those of all the settings given: as configured here, and as they are by default. */
export function understoodUris(settings: readonly DirectorySettings[]): UnderstoodUris {
  const all = (uriOf: (each: DirectorySettings) => string) => new Set(settings.map(uriOf));
  return {
    organizationCodeSystem: all((each) => each.organizationCodeSystem),
    activePeriod: all((each) => each.activePeriodUrl),
    dateType: all((each) => each.dateTypeUrl),
    role: all((each) => each.roleUrl),
    // The profile spells it in one way, the description of the service in the other.
    primaryRole: new Set([...all((each) => each.primaryRoleUrl), 'primaryRole', 'primaryrole']),
    roleSystem: new Set(settings.flatMap((each) => [...roleSystemsOf(each)])),
    recordClassSystem: all((each) => each.recordClassSystem),
    uprn: all((each) => each.uprnUrl),
  };
}
