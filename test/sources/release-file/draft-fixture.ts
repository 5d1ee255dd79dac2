/** Roles of small Organisation elements, and the record that such an element becomes. */
import type { SourceRecord } from '../../../src/directory/record/record.ts';

/** What `organisation('')` becomes. */
export const PLAIN: SourceRecord = {
  code: 'A1',
  isActive: true,
  lastUpdated: '2020-01-02',
  recordClass: '1',
  periods: [],
  roles: [{ code: '177', isPrimary: true, isActive: true, periods: [] }],
  telecoms: [],
};

export const rolesOf = (...roles: string[]): string => `<Roles>${roles.join('')}</Roles>`;
export const role = (id: string, rest = '<Status value="Active"/>', primary = ''): string =>
  `<Role id="${id}"${primary}>${rest}</Role>`;
export const isPrimary = ' primaryRole="true"';

export interface Case {
  readonly name: string;
  readonly xml: string;
  readonly record: Partial<SourceRecord>;
  readonly warnings?: readonly string[];
}
