/** Every door says the same of what organisations belong to, and of who belongs to them. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { relationship } from '../../web/related-records.ts';
import { organization, role } from '../records.ts';
import { checkDoors, differences } from './agreement.ts';
import { roleOf } from './nation.ts';
import { Oracle } from './oracle.ts';

it('every door agrees with the oracle, about 200 organisations of random nations', (context) =>
  checkDoors(context, 8));

it('a door with another rule is found', () => {
  const body = (code: string, ...links: readonly string[]) => ({
    ...organization(code, { roles: [role(roleOf(code), { isPrimary: true })] }),
    relationships: links.map((link) => {
      const [type = '', target = ''] = link.split(' ');
      return relationship(type, target, roleOf(target));
    }),
  });
  // The network of the practice belongs to another board.
  const records = [
    body('A0', '4 C0', '8 U0'),
    body('C0', '5 Q0'),
    body('C1', '5 Q1'),
    body('U0', '4 C1'),
  ];
  const oracle = new Oracle(records, roleOf, '2026-11-28');
  const right = { network: 'U0', subIcb: 'C0', icb: 'Q0', region: '' };
  const answers = (columns: object) => new Map([['A0', { ...right, ...columns }]]);
  assert.deepEqual(differences('right', answers({}), oracle), []);
  assert.deepEqual(differences('network first', answers({ subIcb: 'C1', icb: 'Q1' }), oracle), [
    'network first: A0 subIcb "C1"',
    'network first: A0 icb "Q1"',
  ]);
  assert.deepEqual(differences('two steps', answers({ icb: '' }), oracle), [
    'two steps: A0 icb ""',
  ]);
});
