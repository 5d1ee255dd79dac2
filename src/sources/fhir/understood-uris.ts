/** The URIs that the import understands in Organizations of a source: several for each meaning. */

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

/** Combines the URIs of several settings: the configured ones and the defaults. */
export function understoodUris(settings: readonly DirectorySettings[]): UnderstoodUris {
  const all = (uriOf: (each: DirectorySettings) => string) => new Set(settings.map(uriOf));
  return {
    organizationCodeSystem: all((each) => each.organizationCodeSystem),
    activePeriod: all((each) => each.activePeriodUrl),
    dateType: all((each) => each.dateTypeUrl),
    role: all((each) => each.roleUrl),
    // The profile and the description of the service spell it differently.
    primaryRole: new Set([...all((each) => each.primaryRoleUrl), 'primaryRole', 'primaryrole']),
    roleSystem: new Set(settings.flatMap((each) => [...roleSystemsOf(each)])),
    recordClassSystem: all((each) => each.recordClassSystem),
    uprn: all((each) => each.uprnUrl),
  };
}
