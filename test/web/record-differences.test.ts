/** The changes that the page of an organisation shows. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { recordDifferences } from '../../src/web/organization/record-differences.ts';
import { CODE_SYSTEMS, organization, role } from '../directory/records.ts';

const ROLES = { name: (code: string) => `role ${code}` };

describe('the differences of a record', () => {
  const before = organization('A1', {
    name: 'OLD NAME',
    telecoms: [{ system: 'phone', value: '01' }],
    address: { lines: ['A STREET'], city: 'LEEDS' },
  });

  it('are none where nothing differs', () => {
    assert.deepEqual(recordDifferences(before, before, ROLES, CODE_SYSTEMS), []);
  });

  it('name each field with what was and what is', () => {
    const { telecoms: _, ...rest } = before;
    const after = {
      ...rest,
      telecoms: [],
      name: 'NEW NAME',
      isActive: false,
      address: { lines: ['A STREET'], city: 'YORK', postalCode: 'YO1 1AA' },
      roles: [role('76', { isPrimary: true, isActive: false }), role('177')],
    };
    assert.deepEqual(recordDifferences(before, after, ROLES, CODE_SYSTEMS), [
      { field: 'Name', before: 'OLD NAME', after: 'NEW NAME' },
      { field: 'Status', before: 'Active', after: 'Inactive' },
      { field: 'Town', before: 'LEEDS', after: 'YORK' },
      { field: 'Postcode', after: 'YO1 1AA' },
      {
        field: 'Role: role 76',
        before: 'Active; main role; operational from 1 April 2001',
        after: 'Inactive; main role; operational from 1 April 2001',
      },
      { field: 'Role: role 177', after: 'Active; operational from 1 April 2001' },
      { field: 'Contacts', before: '01' },
    ]);
  });
});
