/**
 * Files of postcodes as large as the national one, in the form of the ONS Postcode Directory. The
 * postcodes are invented.
 */
import { inventedPositionOf } from './engine/near.ts';

export const NATIONAL_POSTCODES = 2_700_000;

/** The columns of 2024, with those that are not read. */
export const NATIONAL_COLUMNS =
  'pcd,pcd2,pcds,dointr,doterm,oscty,ced,oslaua,osward,parish,usertype,oseast1m,osnrth1m,' +
  'osgrdind,oshlthau,nhser,ctry,rgn,streg,pcon,eer,teclec,ttwa,pct,itl,statsward,oa01,casward,' +
  'npark,lsoa01,msoa01,ur01ind,oac01,oa11,lsoa11,msoa11,wz11,sicbl,bua24,ru11ind,oac11,lat,long,' +
  'lep1,lep2,pfa,imd,calncv,icb,oa21,lsoa21,msoa21';

/** Those that are read. */
export const READ_COLUMNS =
  'pcds,doterm,oslaua,oseast1m,osnrth1m,nhser,ctry,rgn,pcon,lsoa11,sicbl,lat,long,calncv,icb,lsoa21';

export interface PostcodeFileOptions {
  /** The invented postcodes. */
  readonly count: number;
  /** The names of the columns, separated by commas. */
  readonly columns: string;
  /** Other postcodes, as `LS1 4AP`, which come first. */
  readonly own?: ReadonlySet<string>;
}

/** The text of the file, a thousand lines at a time. */
export function* postcodeFile({
  count,
  columns,
  own = new Set(),
}: PostcodeFileOptions): Generator<string, void, undefined> {
  const names = columns.split(',');
  yield `${columns}\r\n`;
  let lines: string[] = [];
  for (const [number, postcode] of [...own].entries()) {
    lines.push(lineOf(number, postcode, names, inventedPositionOf(postcode)));
  }
  for (let number = 0; number < count; number++) {
    const postcode = inventedPostcode(number);
    if (!own.has(postcode)) lines.push(lineOf(number, postcode, names));
    if (lines.length < LINES_AT_ONCE && number < count - 1) continue;
    yield `${lines.join('\r\n')}\r\n`;
    lines = [];
  }
}

const LINES_AT_ONCE = 1000;

/** As many of an outward code as the national file has: about 900. */
const OF_OUTWARD = 900;

function inventedPostcode(number: number): string {
  const outward = Math.floor(number / OF_OUTWARD);
  const at = number % OF_OUTWARD;
  const code = `${letter(outward / 99)}${letter(outward / 99 / 26)}${1 + (outward % 99)}`;
  return `${code} ${at % 10}${letter(at / 10)}${letter(at / 260)}`;
}

function letter(number: number): string {
  return String.fromCharCode(65 + (Math.floor(number) % 26));
}

/** As many areas as the national file has: an LSOA for 60 postcodes, and the larger ones in proportion. */
function lineOf(
  number: number,
  postcode: string,
  names: readonly string[],
  position = scattered(number),
): string {
  const lsoa = 1_000_000 + Math.floor(number / 60);
  const cells: Readonly<Record<string, string | number>> = {
    pcd: `"${postcode.replace(' ', '')}"`,
    pcd2: `"${postcode}"`,
    pcds: `"${postcode}"`,
    dointr: '"198001"',
    doterm: number % 3 === 0 ? '"200106"' : '""',
    oslaua: `"${AREAS.LAD.codeOf(number)}"`,
    oseast1m: 394_251,
    osnrth1m: '0806376',
    ctry: '"E92000001"',
    rgn: `"${AREAS.RGN.codeOf(number)}"`,
    lsoa11: `"E0${lsoa}"`,
    lsoa21: `"E0${lsoa + Number(number % 50 === 0)}"`,
    sicbl: `"${AREAS.SICBL.codeOf(number)}"`,
    icb: `"${AREAS.ICB.codeOf(number)}"`,
    lat: position.latitude.toFixed(6),
    long: position.longitude.toFixed(6),
  };
  return names.map((name) => cells[name] ?? '"E99999999"').join(',');
}

function scattered(number: number) {
  return {
    latitude: 50 + ((number * 7919) % 8_000_000) / 1e6,
    longitude: -5 + ((number * 104_729) % 6_000_000) / 1e6,
  };
}

/** The areas of which a zip of the directory has tables of names, by the beginning of its columns. */
const AREAS = {
  LAD: { every: 7_000, codeOf: (number: number) => `E0${6_000_000 + Math.floor(number / 7_000)}` },
  RGN: {
    every: 300_000,
    codeOf: (number: number) => `E1200000${1 + Math.floor(number / 300_000)}`,
  },
  SICBL: {
    every: 26_000,
    codeOf: (number: number) => `E38000${100 + Math.floor(number / 26_000)}`,
  },
  ICB: { every: 64_000, codeOf: (number: number) => `E54000${100 + Math.floor(number / 64_000)}` },
} as const;

/**
 * The tables of the names of areas, by the names of their files.
 *
 * @param codes of organisations, one of which each area has
 */
export function namesOfAreas(
  count: number,
  codes: readonly string[],
): readonly (readonly [name: string, text: string])[] {
  return Object.entries(AREAS).map(([prefix, { every, codeOf }]) => {
    const rows = Array.from({ length: Math.ceil(count / every) }, (_, at) =>
      [codeOf(at * every), codes[at % codes.length], `${prefix} of the examples ${at}`].join(','),
    );
    const head = `${prefix}26CD,${prefix}26CDH,${prefix}26NM`;
    return [`Documents/${prefix} names and codes.csv`, `${[head, ...rows].join('\r\n')}\r\n`];
  });
}
