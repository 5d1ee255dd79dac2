/** Which code a name means: the figures of the names written by hand, and names that mean nothing. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { MATCH } from '../../../src/interfaces/questions/match-question.ts';
import type { QuestionRow } from '../../../src/interfaces/questions/question.ts';
import { editionOf } from '../directory-server.ts';
import { kept } from '../events/kept.ts';
import { organization } from '../records.ts';
import { NAMES, namedEdition } from './match-names.ts';

const EDITION = namedEdition();
type Answer = ReturnType<Awaited<ReturnType<typeof MATCH.open>>>;
let ask: (row: QuestionRow) => Answer;

before(async () => {
  ask = await MATCH.open(EDITION, '2026-11-25');
});

describe('the names written by hand', () => {
  /** Rows, and those of them whose first candidate is meant, by outcome. */
  function count(outcome: string): { all: number; right: number } {
    const answered = NAMES.map((row) => ({ code: row.code, ...ask(row) })).filter(
      (answer) => answer.outcome === outcome,
    );
    const right = answered.filter(({ code, candidates }) => candidates[0]?.code === code);
    return { all: answered.length, right: right.length };
  }

  it('are mostly matched, and what is certain is right', (context) => {
    const meant = NAMES.filter(({ code }) => code !== '').length;
    const [certain, likely] = [count('certain'), count('likely')];
    const figures = {
      certainPrecision: certain.right / certain.all,
      certainRecall: certain.right / meant,
      likelyPrecision: likely.right / likely.all,
      recall: (certain.right + likely.right) / meant,
    };
    context.diagnostic(JSON.stringify({ names: NAMES.length, meant, certain, likely, ...figures }));
    assert.ok(NAMES.length >= 300);
    assert.ok(figures.certainPrecision >= 0.995, 'precision of certain');
    assert.ok(figures.certainRecall >= 0.92, 'recall of certain');
    assert.ok(figures.likelyPrecision >= 0.8, 'precision of likely');
    assert.ok(figures.recall >= 0.97, 'recall of certain and likely');
  });

  it('are never certain if nothing is meant', () => {
    const wrong = NAMES.filter((row) => row.code === '' && ask(row).outcome === 'certain');
    assert.deepEqual(wrong, []);
  });
});

describe('a match', () => {
  const CASES: readonly (readonly [
    title: string,
    row: QuestionRow,
    outcome: string,
    codes: readonly string[],
    why?: readonly string[],
  ])[] = [
    ['a name', { name: 'Calder Royal Infirmary' }, 'certain', ['RX2A1'], ['name']],
    ['abbreviations', { name: 'mere vale comm hosp' }, 'certain', ['RX1A3'], ['name']],
    ['another order', { name: 'Infirmary, Royal (Calder)' }, 'certain', ['RX2A1'], ['name']],
    ['misspelt words', { name: 'Whitlesham Helth Centre' }, 'certain', ['A10015'], ['name']],
    ['joined words', { name: 'Airevalley Hospital', postcode: 'BD206TD' }, 'certain', ['RX2A2']],
    ['initials', { name: 'Calder Valley PCN' }, 'certain', ['UX001'], ['name']],
    ['the town in the name', { name: 'Park Surgery Leeds' }, 'certain', ['A10001']],
    [
      'the postcode in any case',
      { name: 'park surgery', postcode: 'so50 4ld' },
      'certain',
      ['A10002'],
      ['name', 'postcode'],
    ],
    [
      'an outward code',
      { name: 'park surgery', postcode: 'SO50' },
      'likely',
      ['A10002', 'A10001', 'A10003'],
      ['name', 'outward code'],
    ],
    [
      'a town',
      { name: 'The Cedars', town: 'purley' },
      'certain',
      ['VX007', 'VX006'],
      ['name', 'town'],
    ],
    [
      'a town that the name of the organisation has',
      { name: 'Wharfedale PCN', town: 'Otley' },
      'certain',
      ['UX003'],
    ],
    ['equal names', { name: 'Park Surgery' }, 'several', ['A10001', 'A10002', 'A10003']],
    ['an unknown town', { name: 'The Cedars', town: 'Atlantis' }, 'several', ['VX006', 'VX007']],
    [
      'no role by this name',
      { name: 'Calder Royal Infirmary', role: 'castle' },
      'certain',
      ['RX2A1'],
      ['name'],
    ],
  ];

  for (const [title, row, outcome, codes, why] of CASES) {
    it(`knows ${title}`, () => {
      const { candidates, unknown: _, ...answer } = ask(row);
      assert.deepEqual(answer, { name: row.name, outcome });
      const found = candidates.map(({ code }) => code);
      assert.deepEqual(found.slice(0, codes.length), codes);
      if (why !== undefined) assert.deepEqual(candidates[0]?.why, why);
    });
  }

  it('counts a role by its code, with and without RO, and by its name', () => {
    for (const role of ['182', 'RO182', 'pharmacy', 'chemists']) {
      const { candidates } = ask({ name: 'Quayside', postcode: 'BN9 9PW', role });
      assert.equal(candidates[0]?.code, 'FX010', role);
      assert.ok(candidates[0]?.why.includes('role'), role);
    }
  });

  it('knows former names, after those that organisations have now', async () => {
    const [before, now] = ['OLD PRIORY SURGERY', 'MILLBROOK HEALTH CENTRE'];
    const { edition } = kept([
      [organization('A1', { name: before }), organization('B1', { name: 'HIGH STREET DENTAL' })],
      [organization('A1', { name: now }), organization('B1', { name: 'HIGH STREET DENTAL' })],
    ]);
    const match = await MATCH.open(edition, '2026-11-25');
    assert.deepEqual(match({ name: 'Old Priory Surgry' }), {
      name: 'Old Priory Surgry',
      outcome: 'certain',
      candidates: [{ code: 'A1', name: now, score: 0.87, why: ['former name'] }],
    });
    assert.deepEqual(match({ name: now }).candidates[0]?.why, ['name']);
    assert.equal(match({ name: now }).candidates[0]?.score, 1);
    const both = kept([
      [organization('A1', { name: before }), organization('B1', { name: 'HIGH STREET DENTAL' })],
      [organization('A1', { name: now }), organization('B1', { name: before })],
    ]);
    const { candidates } = (await MATCH.open(both.edition, '2026-11-25'))({ name: before });
    assert.deepEqual(
      candidates.map(({ code, why }) => [code, why]),
      [['B1', ['name']]],
    );
  });

  it('has at most five candidates, whose scores descend from 1 to a half', () => {
    const { candidates } = ask({ name: 'oak lane surgery' });
    const scores = candidates.map(({ score }) => score);
    assert.equal(scores[0], 1);
    assert.ok(scores.length <= 5 && scores.every((score) => score >= 0.5 && score <= 1));
    assert.deepEqual(
      scores,
      scores.toSorted((a, b) => b - a),
    );
  });

  it('takes something off for an organisation that is closed on the day', async () => {
    const row = { name: 'Kingfisher Surgery', town: 'Redditch' };
    assert.equal(ask(row).candidates[0]?.score, 0.95);
    const past = await MATCH.open(EDITION, '2015-01-01');
    assert.equal(past(row).candidates[0]?.score, 1);
  });
});

describe('a match that differs', () => {
  const place = (name: string, city: string, postalCode: string) => ({
    name,
    address: { lines: [], city, postalCode },
  });
  const others = 'LANE CRESCENT MILL HILL BRIDGE TOWER'.split(' ');
  const edition = editionOf([
    organization('A1', place('LEEDS EXAMPLE SURGERY', 'YORK', 'YO1 1AA')),
    organization('B1', place('EXAMPLE QUAY SURGERY', 'LEEDS', 'LS1 4AP')),
    organization('C1', place('ELM CHEMIST', 'LEEDS', 'LS2 2AA')),
    organization('D1', place('STATION GREEN', 'HULL', 'HU1 1AA')),
    organization('E1', place('STATION GREEN HARBOUR', 'BATH', 'BA1 1AA')),
    ...others.map((word, i) =>
      organization(`F${i}`, place(`EXAMPLE ${word} SURGERY`, 'LONDON', `E${i + 1} 1AA`)),
    ),
  ]);
  type Row = Readonly<Record<string, string>>;
  const CASES: readonly (readonly [
    title: string,
    row: Row,
    outcome: string,
    code: string,
    differs?: readonly string[],
  ])[] = [
    [
      'a name with another word, which an organisation elsewhere has exactly',
      { name: 'Leeds Example Surgery', postcode: 'LS1 4AP' },
      'likely',
      'B1',
      ['name'],
    ],
    [
      'a shorter name, which an organisation elsewhere has exactly',
      { name: 'Station Green', postcode: 'BA1 1AA' },
      'likely',
      'E1',
    ],
    ['another town', { name: 'Elm Chemist', town: 'London' }, 'likely', 'C1', ['town']],
    ['another role', { name: 'Elm Chemist', role: '177' }, 'likely', 'C1', ['role']],
    ['a code in another town', { name: 'C1', town: 'London' }, 'likely', 'C1', ['town']],
    [
      'a code with another postcode',
      { name: 'C1', postcode: 'E1 1AA' },
      'likely',
      'C1',
      ['postcode'],
    ],
    [
      'a code beside another name',
      { name: 'F1', nameBeside: 'Example Lane Surgery' },
      'likely',
      'F1',
      ['name'],
    ],
  ];
  for (const [title, row, outcome, code, differs] of CASES) {
    it(`is not certain: ${title}`, async () => {
      const answer = (await MATCH.open(edition, '2026-11-25'))(row);
      const [best] = answer.candidates;
      assert.deepEqual([answer.outcome, best?.code, best?.differs], [outcome, code, differs]);
    });
  }

  for (const [title, row, code] of [
    ['the exact name, which others have too', { name: 'Station Green', postcode: 'HU1 1AA' }, 'D1'],
    ['a shorter name that nothing else has', { name: 'Example Quay', postcode: 'LS14AP' }, 'B1'],
    ['a misspelt name', { name: 'Exampel Quay Surgery', postcode: 'LS1 4AP' }, 'B1'],
    ['a code beside its name', { name: 'F1', nameBeside: 'example crescent surg' }, 'F1'],
    ['a code beside a shorter name', { name: 'F1', nameBeside: 'Crescent Surgery' }, 'F1'],
    ['a code in the outward code', { name: 'C1', postcode: 'LS2' }, 'C1'],
    ['a town that only the name has', { name: 'Leeds Example Surgery', town: 'Leeds' }, 'A1'],
  ] as const) {
    it(`is certain: ${title}`, async () => {
      const answer = (await MATCH.open(edition, '2026-11-25'))(row);
      const [best] = answer.candidates;
      assert.deepEqual([answer.outcome, best?.code, best?.differs], ['certain', code, undefined]);
    });
  }
});

describe('a name that means nothing', () => {
  const NOTHING: Readonly<Record<string, string>> = {
    'no text': '',
    'only spaces': '   ',
    'only frequent words': 'the of and NHS Trust Ltd',
    punctuation: '!?&()[]"\'*%_\\-',
    'combining marks': '\u0301\u0302',
    'a lone surrogate': '\ud800',
    'another script': '东京医院',
    'a right-to-left script': 'مستشفى',
    'an emoji': '🏥',
    '10,000 characters': 'park surgery '.repeat(770),
    '10,000 letters': 'a'.repeat(10_000),
    'many words': 'zq '.repeat(100),
    'many letters': 'a b c d e f g h i j k l m n o p q r s t u v w x y z',
  };

  for (const [title, name] of Object.entries(NOTHING)) {
    it(`may be ${title}`, () => {
      const answer = ask({ name, postcode: 'LS8 1DF', town: 'Leeds' });
      assert.deepEqual(answer, { name, outcome: 'none', candidates: [] });
      assert.deepEqual(MATCH.cells(answer), ['none', '', '', '', '', '', '']);
    });
  }

  it('may stand beside long texts', () => {
    const long = 'x'.repeat(10_000);
    const row = { name: 'Calder Royal Infirmary', postcode: long, town: long, role: long };
    assert.equal(ask(row).candidates[0]?.code, 'RX2A1');
  });
});
