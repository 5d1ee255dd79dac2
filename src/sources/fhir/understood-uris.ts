/** The URIs that the import understands in Organizations of a source: several for each meaning. */

import type { DirectorySettings } from '../../directory/settings.ts';
import { roleSystemsOf } from '../../directory/stu3/role-systems.ts';

export type UnderstoodUris = ReturnType<typeof understoodUris>;

/** Combines the URIs of several settings: the configured ones and the defaults. */
export function understoodUris(settings: readonly DirectorySettings[]) {
  const all = (uriOf: (each: DirectorySettings) => string): ReadonlySet<string> =>
    new Set(settings.map(uriOf));
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
