/** The code systems of postcodes and of areas, and the areas of organisations. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { openPostcodes } from '../../../../src/directory/places/stored-postcodes.ts';
import { RELATED_CODE_SYSTEMS, RELATED_RECORDS } from '../../../web/related-records.ts';
import { editionOf } from '../../directory-server.ts';
import { storedPostcodes, type TestPostcode } from '../../places/postcode-rows.ts';
import { startTerminology, validAnswer } from '../terminology-server.ts';
import { expandedCodes, lookedUp } from './answers.ts';

const ODS = 'https://digital.nhs.uk/services/organisation-data-service/CodeSystem';
const POSTCODE = `${ODS}/postcode`;
const AREA = `${ODS}/geography-name`;
const CODES = 'https://fhir.nhs.uk/Id/ods-organization-code';

const POSTCODES: readonly TestPostcode[] = [
  {
    postcode: 'LS1 1AA',
    areas: {
      localAuthority: 'E08000035',
      icb: 'E54000054',
      subIcb: 'E38000225',
      region: 'E12000003',
      lsoa11: 'E01033010',
      ward: 'E05011397',
    },
  },
  { postcode: 'LS10 4AP', areas: { localAuthority: 'E08000035' }, terminated: '201903' },
  { postcode: 'LS2 7AA', areas: {} },
];
const NAMED = {
  E54000054: { odsCode: 'QWO', name: 'West Yorkshire' },
  E08000035: { name: 'Leeds' },
};

const postcodes = openPostcodes(storedPostcodes(POSTCODES, NAMED));
const server = await startTerminology(
  editionOf(RELATED_RECORDS, 1, RELATED_CODE_SYSTEMS, postcodes),
);
const without = await startTerminology(editionOf(RELATED_RECORDS, 1, RELATED_CODE_SYSTEMS));
after(() => Promise.all([server.close(), without.close()]));

const lookUp = async (system: string, code: string, at = server) =>
  lookedUp(await validAnswer(at, `CodeSystem/$lookup?system=${system}&code=${code}&property=*`));

const AREAS_OF_LS1 = [
  `EW: ${AREA}|E05011397`,
  `GOR: ${AREA}|E12000003`,
  `ICB: ${AREA}|QWO|West Yorkshire`,
  `LA: ${AREA}|E08000035|Leeds`,
  `LSOA11: ${AREA}|E01033010`,
  `NHSER: ${AREA}|Y63|NORTH EAST AND YORKSHIRE`,
  `PCO: ${AREA}|E38000225`,
];

describe('the code system of postcodes', () => {
  it('has the areas of a postcode, and leaves out what it does not have', async () => {
    assert.deepEqual(await lookUp(POSTCODE, 'LS1 1AA'), AREAS_OF_LS1);
    assert.deepEqual(await lookUp(POSTCODE, 'LS2 7AA'), []);
  });

  for (const code of ['LS11AA', 'ls1 1aa', 'LS9 9ZZ', 'no postcode', `${'L'.repeat(300)}`]) {
    it(`does not have the code ${code.slice(0, 20)}`, async () => {
      const target = `CodeSystem/$validate-code?url=${POSTCODE}&code=${code}`;
      assert.equal((await validAnswer(server, target)).parameter[0].valueBoolean, false);
    });
  }

  const EXPANSIONS: readonly (readonly [query: string, total: number, codes: string[]])[] = [
    ['', 3, ['LS1 1AA', 'LS10 4AP', 'LS2 7AA']],
    ['&count=1&offset=1', 3, ['LS10 4AP']],
    ['&activeOnly=true', 2, ['LS1 1AA', 'LS2 7AA']],
    ['&filter=LS2 7AA', 1, ['LS2 7AA']],
    ['&filter=LS10 4AP&activeOnly=true', 0, []],
  ];
  for (const [query, total, codes] of EXPANSIONS) {
    it(`expands with ${query || 'no parameter'} to ${codes.join(', ') || 'nothing'}`, async () => {
      const answer = await validAnswer(server, `ValueSet/$expand?url=${POSTCODE}${query}`);
      assert.equal(answer.expansion.total, total);
      assert.deepEqual(expandedCodes(answer), codes);
    });
  }

  const NONE = /^This directory has no (codes of )?\S*postcode\. .*gazetteer import-postcodes/;
  for (const target of [
    'CodeSystem/postcode',
    'ValueSet/postcode',
    `CodeSystem/$lookup?system=${POSTCODE}&code=LS1 1AA`,
    `CodeSystem/$validate-code?url=${POSTCODE}&code=LS1 1AA`,
    `CodeSystem/$subsumes?system=${POSTCODE}&codeA=LS1 1AA&codeB=LS1 1AA`,
    `ValueSet/$expand?url=${POSTCODE}`,
    'ValueSet/postcode/$validate-code?code=LS1 1AA',
  ]) {
    it(`${target.replace(`${ODS}/`, '')} names the remedy if there are none`, async () => {
      const { issue } = await validAnswer(without, target, { status: 404 });
      assert.match(issue[0].diagnostics, NONE);
    });
  }

  it('is found by searches only if there are postcodes', async () => {
    for (const [at, total] of [
      [server, 1],
      [without, 0],
    ] as const) {
      assert.equal((await validAnswer(at, `CodeSystem?url=${POSTCODE}`)).total, total);
      assert.equal((await validAnswer(at, `ValueSet?reference=${POSTCODE}`)).total, total);
    }
  });
});

describe('the code system of areas', () => {
  const NAMES: readonly (readonly [code: string, name: string])[] = [
    ['E08000035', 'Leeds'],
    ['QWO', 'West Yorkshire'],
    ['E01033010', 'Name not currently available for code: E01033010'],
    ['15F', 'NHS WEST YORKSHIRE ICB - 15F'],
    ['Y63', 'NORTH EAST AND YORKSHIRE'],
  ];
  for (const [code, name] of NAMES) {
    it(`names ${code} ${name}`, async () => {
      const target = `CodeSystem/$validate-code?url=${AREA}&code=${code}&display=${name}`;
      assert.equal((await validAnswer(server, target)).parameter[0].valueBoolean, true);
    });
  }

  for (const code of ['E54000054', 'RR8', 'A81000', 'none']) {
    it(`does not have ${code}`, async () => {
      const target = `CodeSystem/$validate-code?url=${AREA}&code=${code}`;
      assert.equal((await validAnswer(server, target)).parameter[0].valueBoolean, false);
    });
  }

  it('lists each area once: those of postcodes, then the other boards and regions', async () => {
    const codes = expandedCodes(await validAnswer(server, `ValueSet/$expand?url=${AREA}`));
    assert.deepEqual(codes.toSorted(), [
      '15F',
      'E01033010',
      'E05011397',
      'E08000035',
      'E12000003',
      'E38000225',
      'QWO',
      'Y63',
    ]);
    assert.deepEqual(codes.slice(-2), ['15F', 'Y63']);
    assert.deepEqual(expandedCodes(await validAnswer(without, `ValueSet/$expand?url=${AREA}`)), [
      '15F',
      'QWO',
      'Y63',
    ]);
  });
});

describe('the areas of an organisation', () => {
  const GEOGRAPHY = /^(?:CA|EW|GOR|ICB|LA|LSOA11|NHSER|PC|PCO|SMHPC .*): /;
  const areasOf = async (code: string, at = server) =>
    (await lookUp(CODES, code, at)).filter((line) => GEOGRAPHY.test(line));

  it('are those of its postcode', async () => {
    const board = 'NHS WEST YORKSHIRE, LEEDS INTEGRATED CARE BOARD';
    const expected = AREAS_OF_LS1.map((line) => line.replace('West Yorkshire', board));
    assert.deepEqual(await areasOf('A81000'), expected);
  });

  it('are the board and the region that it belongs to without postcodes', async () => {
    assert.deepEqual(await areasOf('A81000', without), [
      `ICB: ${AREA}|QWO|NHS WEST YORKSHIRE, LEEDS INTEGRATED CARE BOARD`,
      `NHSER: ${AREA}|Y63|NORTH EAST AND YORKSHIRE`,
    ]);
  });
});
