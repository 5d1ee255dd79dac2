/** Organisations made up from a seed, with words, towns and roles as frequent as in real ones. */

import type { OrganizationRecord, RoleRecord } from '../../src/directory/record.ts';

export interface SampleRecords {
  readonly count: number;
  readonly recordAt: (row: number) => OrganizationRecord;
}

export type Random = () => number;

/** Numbers from 0 to below 1 out of a seed (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const KINDS = `SURGERY|PHARMACY|DENTAL PRACTICE|CARE HOME|HOUSE|MEDICAL CENTRE|NURSING HOME|
HEALTH CENTRE|PRIMARY SCHOOL|HOSPITAL|CLINIC|RESIDENTIAL HOME|OPTICIANS|HOSPICE|COURT|LODGE|
COMMUNITY HOSPITAL|DENTAL SURGERY|PRACTICE|DAY CENTRE|DOMICILIARY CARE|OUTPATIENTS|SITE|
PRIMARY CARE NETWORK|CHEMIST|SECONDARY SCHOOL|COLLEGE|CARE LIMITED|HEALTHCARE LTD|SERVICES|
COMMUNITY CARE|MENTAL HEALTH TEAM|CE PRIMARY SCHOOL|WALK IN CENTRE|(BRANCH SURGERY)|UNIT|
GENERAL HOSPITAL|COUNCIL|PRISON|AMBULANCE STATION|VACCINATION CENTRE|RC SCHOOL|REHABILITATION UNIT`;
const WORDS = `THE PARK ROAD HIGH STREET CHURCH GREEN HILL MANOR ST OAK ELM GROVE VIEW LODGE WEST
NORTH SOUTH EAST MILL BRIDGE FARM CASTLE QUEENS KINGS VICTORIA ALBERT GEORGE MARY'S JOHN'S LANE
RIVER SPRING WOOD FIELD LAKE ROSE IVY HOLLY BEECH ASH CEDAR WILLOW HEATH MOOR DALE COTTAGE ABBEY
PRIORY VILLAGE TOWN STATION MARKET CENTRAL NEW OLD GRANGE HALL COURT BOOTS LLOYDS WELL SUPERDRUG
ROWLANDS DAY LEWIS ASDA TESCO MORRISONS BUPA MIND SPECSAVERS VISION EXPRESS HOMECARE & AND OF FOR
WINDSOR BALMORAL AVENUE CLOSE CRESCENT DRIVE LEA HAVEN SUNNY BANK CLIFF BAY SEA SANDS BEACON`;
const TOWN_STARTS = `LONDON|BIRMINGHAM|MANCHESTER|LEEDS|LIVERPOOL|BRISTOL|SHEFFIELD|NOTTINGHAM|
LEICESTER|BRADFORD|SOUTHAMPTON|PLYMOUTH|READING|DERBY|WOLVERHAMPTON|PORTSMOUTH|NORWICH|LUTON|
PRESTON|MILTON KEYNES|SUNDERLAND|NEWCASTLE UPON TYNE|PETERBOROUGH|NORTHAMPTON|BRIGHTON|EXETER|
STOKE-ON-TRENT|IPSWICH|BOLTON|OXFORD|CAMBRIDGE|YORK|COVENTRY|SWINDON|BLACKPOOL|ROMFORD|HARROW`;
const SYLLABLES = `BAR BEN BRAM BUR CAR CHES CLE COL CROM DAR DUN EL FAR GAR GLOS HAR HEX HOL KEN
KIR LAN LEO LIN MAL MEL NEW NOR OAK OR PEN RAD RIP ROM SEL SHEP STAM STO SUT TAM THAT TRU WAL WAR
WEL WES WIN WOR YAT`;
const ENDINGS = `TON FORD HAM BURY LEY WICK DON WORTH FIELD STER BY MOUTH BRIDGE POOL WELL LAND`;
const STREETS = `ALMA BATH CANAL DOVER ELGIN FALKLAND GORDON HAMILTON IRWELL JUBILEE KELVIN LORNE
MAFEKING NELSON OSBORNE PEEL QUARRY RUSSELL STANLEY TALBOT UNION VERNON WELLINGTON YEW`;

const words = (text: string) => text.split(/\s+/);
const phrases = (text: string) => text.replaceAll('\n', '').split('|');

/** The share that the most common value has, for values that follow Zipf's law. */
function zipf<Value>(values: readonly Value[], exponent = 1): (random: Random) => Value {
  const sums: number[] = [];
  let sum = 0;
  for (let i = 0; i < values.length; i++) {
    sum += 1 / (i + 1) ** exponent;
    sums.push(sum);
  }
  return (random) => {
    const wanted = random() * sum;
    let low = 0;
    for (let high = sums.length - 1; low < high; ) {
      const middle = (low + high) >>> 1;
      if (sums[middle]! < wanted) low = middle + 1;
      else high = middle;
    }
    return values[low]!;
  };
}

const towns = [
  ...phrases(TOWN_STARTS),
  ...words(SYLLABLES).flatMap((start) => words(ENDINGS).map((end) => start + end)),
  ...words(SYLLABLES).flatMap((start) =>
    ['UPON SEA', 'ON TRENT', 'GREEN', 'MAGNA'].map((end) => `${start}TON ${end}`),
  ),
];
const surnames = words(SYLLABLES).flatMap((start) =>
  words(SYLLABLES).map((end) => start + end.toUpperCase()),
);
const pickKind = zipf(phrases(KINDS), 0.8);
const pickWord = zipf(words(WORDS), 0.8);
const pickTown = zipf(towns, 0.9);
const pickSurname = zipf(surnames, 0.6);
const pickStreet = zipf(words(STREETS), 0.4);
const pickRole = zipf(
  Array.from({ length: 190 }, (_, i) => String(i * 7 + 3)),
  1.1,
);
const pickDaysAgo = zipf(
  Array.from({ length: 4500 }, (_, i) => i),
  0.6,
);
const NEWEST_MS = Date.UTC(2026, 7, 1);
const DAY_MS = 86_400_000;

function nameOf(random: Random): string {
  const form = random();
  if (form < 0.08) return `${pickWord(random)} ${pickKind(random)}`;
  if (form < 0.3) return `${pickTown(random)} ${pickKind(random)}`;
  if (form < 0.5) return `THE ${pickSurname(random)} ${pickKind(random)}`;
  if (form < 0.7) return `${pickSurname(random)} ${pickWord(random)} ${pickKind(random)}`;
  if (form < 0.85) return `${pickStreet(random)} ${pickWord(random)} ${pickKind(random)}`;
  const end = random() < 0.4 ? ` - ${pickTown(random)}` : '';
  return `${pickWord(random)} ${pickSurname(random)} ${pickTown(random)} ${pickKind(random)}${end}`;
}

function letters(random: Random, alphabet: string, length: number): string {
  let text = '';
  for (let i = 0; i < length; i++) text += alphabet[Math.floor(random() * alphabet.length)];
  return text;
}

const areas = Array.from({ length: 120 }, (_, i) => {
  const random = createRandom(i);
  return letters(random, 'ABCDEGHLMNPRSTWY', random() < 0.2 ? 1 : 2);
});
const pickArea = zipf(areas, 0.5);

function postalCodeOf(random: Random): string {
  const district = 1 + Math.floor(random() ** 2 * 28);
  const sector = Math.floor(random() * 10);
  return `${pickArea(random)}${district} ${sector}${letters(random, 'ABDEFGHJLNPQRSTUWXYZ', 2)}`;
}

function rolesOf(random: Random): RoleRecord[] {
  const codes = [pickRole(random)];
  while (random() < 0.25) codes.push(pickRole(random));
  return codes.map((code, i) => ({ code, isPrimary: i === 0, isActive: true, periods: [] }));
}

/** Records with codes that ascend; record `row` is the same whatever else is asked for. */
export function createSampleRecords(count: number, seed = 1): SampleRecords {
  const width = Math.max(4, Math.ceil(Math.log(count) / Math.log(36)) + 1);
  return {
    count,
    recordAt(row) {
      const random = createRandom(Math.imul(row + 1, 0x9e3779b1) ^ seed);
      const changed = new Date(NEWEST_MS - pickDaysAgo(random) * DAY_MS);
      const shared = createRandom(Math.floor(random() * count * 0.6) + seed);
      return {
        code: (row * 7).toString(36).toUpperCase().padStart(width, '0'),
        name: random() < 0.12 ? nameOf(createRandom(Math.floor(random() * 2000))) : nameOf(random),
        isActive: random() < 0.55,
        lastUpdated: changed.toISOString().slice(0, 10),
        recordClass: '1',
        periods: [],
        roles: rolesOf(random),
        telecoms: [],
        ...(random() < 0.02
          ? {}
          : {
              address: {
                lines: [],
                postalCode: postalCodeOf(shared),
                ...(random() < 0.95 ? { city: pickTown(shared) } : {}),
              },
            }),
      };
    },
  };
}
