/** Every door says the same of what organisations belong to, and of who belongs to them. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openPostcodes } from '../../../src/directory/places/stored-postcodes.ts';
import { relationship } from '../../web/related-records.ts';
import { storedPostcodes } from '../places/postcode-rows.ts';
import { organization, role } from '../records.ts';
import { checkDoors, checkNation, differences } from './agreement.ts';
import { openDoors } from './doors.ts';
import { roleOf } from './nation.ts';
import { Oracle } from './oracle.ts';

it('every door agrees with the oracle, about 200 organisations of random nations', (context) =>
  checkDoors(context, 3));

const body = (code: string, ...links: readonly string[]) => ({
  ...organization(code, {
    roles: [role(roleOf(code), { isPrimary: true })],
    address: { lines: [], postalCode: 'LS1 4AP' },
  }),
  relationships: links.map((link) => {
    const [type = '', target = ''] = link.split(' ');
    return relationship(type, target, roleOf(target));
  }),
});

it('with postcodes, only the doors of places answer by them', async (context) => {
  const doors = await openDoors(context);
  const postcodes = openPostcodes(
    storedPostcodes([{ postcode: 'LS1 4AP', areas: { icb: 'E54000054' } }], {
      E54000054: { name: 'THE OTHER BOARD', odsCode: 'Q1' },
    }),
  );
  const records = [
    body('A0', '4 C0'),
    body('C0', '5 Q0'),
    body('Q0', '5 Y0'),
    body('Q1', '5 Y1'),
    body('Y0'),
    body('Y1'),
  ];
  doors.open({ records, day: '2026-11-28' }, postcodes);
  const { icb } = JSON.parse(await doors.get('/fhir/postcodes/LS14AP'));
  assert.equal(icb.organisation.code, 'Q1');
  for (const [door, ask] of Object.entries(doors.levels)) {
    const { icb: board, region } = (await ask(['A0'])).get('A0') ?? {};
    const isPlace = door === 'the report search' || door === '$lookup';
    const expected = isPlace ? ['Q1', 'Y1'] : ['Q0', 'Y0'];
    // Other reports do not list the practice.
    if (region !== undefined) assert.deepEqual([board, region], expected, door);
  }
});

it('with postcodes that do not name the organisations of boards, no door answers by them', async (context) => {
  const doors = await openDoors(context);
  const rows = [{ postcode: 'LS1 4AP', areas: { icb: 'E54000054' } }];
  const postcodes = openPostcodes(storedPostcodes(rows, { E54000054: { name: 'A BOARD' } }));
  const records = [body('A0'), body('A1', '5 Q0'), body('Q0', '5 Y0'), body('Y0')];
  doors.open({ records, day: '2026-11-28' }, postcodes);
  for (const [door, ask] of Object.entries(doors.levels)) {
    const answers = await ask(['A0', 'A1']);
    // The reports do not list all kinds of organisations.
    assert.equal(answers.get('A0')?.icb ?? '', '', door);
    assert.equal(answers.get('A1')?.icb ?? 'Q0', 'Q0', door);
  }
});

it('each door is found when it is given another rule', async (context) => {
  const doors = await openDoors(context);
  // Each kind of organisation that a report lists, with a board of its own and one of its network.
  const listed = ['A0', 'B0', 'C0', 'F0', 'H0', 'R0', 'T0'];
  const records = [
    ...listed.map((code) => body(code, '5 Q0', '5 Y0')),
    ...['Q0', 'Y0'].map((code) => body(code)),
  ].toSorted((one, other) => (one.code < other.code ? -1 : 1));
  const small = { records, day: '2026-11-28' };
  doors.open(small);
  await checkNation(doors, small);
  for (const [door, ask] of Object.entries(doors.levels)) {
    const answers = await ask(listed);
    const other = [...answers].map(([code, columns]) => [code, { ...columns, icb: 'Q1' }] as const);
    const levels = { ...doors.levels, [door]: async () => new Map(other) };
    if (other.length === 0) continue;
    await assert.rejects(checkNation({ ...doors, levels }, small), /icb "Q1"/, door);
  }
  for (const [door, ask] of Object.entries(doors.members)) {
    const oneLess = async (code: string) => (await ask(code)).slice(1);
    const members = { ...doors.members, [door]: oneLess };
    await assert.rejects(checkNation({ ...doors, members }, small), new RegExp(`${door} of Q0`));
  }
});

it('a door with another rule is found', () => {
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
