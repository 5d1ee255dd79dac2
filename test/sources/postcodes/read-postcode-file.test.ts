/** Files of postcodes in both forms: what is read of them, and how wrong ones are refused. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { zipBytes } from '../../../scripts/release/zip.ts';
import {
  openPostcodes,
  type StoredPostcodes,
} from '../../../src/directory/places/stored-postcodes.ts';
import { readPostcodeFile } from '../../../src/sources/postcodes/read-postcode-file.ts';
import type { Owner } from '../../owner.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

type Content = string | Readonly<Record<string, string>>;

/** A text is a CSV file; several are the files of a zip. */
async function bytesOf(content: Content): Promise<Buffer> {
  if (typeof content === 'string') return Buffer.from(content);
  const entries = Object.entries(content).map(([name, text]) => ({
    name,
    content: [Buffer.from(text)],
  }));
  return Buffer.concat(await Array.fromAsync(zipBytes(entries)));
}

async function read(owner: Owner, bytes: Buffer) {
  const file = join(temporaryFolder(owner), 'postcodes');
  writeFileSync(file, bytes);
  const { arrays, ...about } = await readPostcodeFile(file);
  const whole = { ...about, version: '1', source: 'postcodes', importedAt: '2026-11-26' };
  return openPostcodes({ arrays, about: whole } satisfies StoredPostcodes);
}

const HEAD = 'pcds,doterm,lat,long';

describe('an ONS Postcode Directory', () => {
  it('is read by the names that its columns have in different years', async (context) => {
    const texts = [
      '\uFEFF"pcd","pcds","doterm","oslaua","oseast1m","osnrth1m","ctry","rgn","lsoa11","sicbl","lat","long","icb","lsoa21"\r\n' +
        '"LS1 4AP","LS1 4AP","","E08000035","429890","0433425","E92000001","E12000003","E01033010","E38000225",53.796200,-1.547800,"E54000054","E01033010"\r\n',
      'pcd7,pcd8,doterm,lad25cd,east1m,north1m,ctry25cd,rgn25cd,lsoa11cd,sicbl25cd,lat,long,icb25cd,lsoa21cd\n' +
        'LS1 4AP,LS1 4AP,,E08000035,429890,433425,E92000001,E12000003,E01033010,E38000225,53.7962,-1.5478,E54000054,E01033010\n',
      'PCD2,DOTERM,LAUA,OSEAST1M,OSNRTH1M,CTRY,RGN,LSOA11,CCG,LAT,LONG,STP,LSOA21\n' +
        'ls1 4ap,,E08000035,429890,433425,E92000001,E12000003,E01033010,E38000225,53.7962,-1.5478,E54000054,E01033010\n\n',
    ];
    for (const text of texts) {
      const file = await read(context, await bytesOf(text));
      assert.deepEqual(file.find('LS14AP'), {
        postcode: 'LS1 4AP',
        position: { latitude: 53.7962, longitude: -1.5478 },
        grid: { easting: 429_890, northing: 433_425 },
        areas: {
          localAuthority: { code: 'E08000035' },
          subIcb: { code: 'E38000225' },
          icb: { code: 'E54000054' },
          region: { code: 'E12000003' },
          lsoa11: { code: 'E01033010' },
          lsoa21: { code: 'E01033010' },
          country: { code: 'E92000001' },
        },
      });
    }
  });

  it('marks unknown positions, areas that do not exist, and the end of a postcode', async (context) => {
    const file = await read(
      context,
      await bytesOf(
        `${HEAD},oslaua,rgn\n` +
          'JE2 3QG,,99.999999,0.000000,L99999999,L99999999\n' +
          'AB1 0AA,199606,57.101474,-2.242851,S12000033,S99999999\n' +
          'BT1 1AA,,,,N09000003,\n',
      ),
    );
    assert.deepEqual(file.find('JE2 3QG'), { postcode: 'JE2 3QG', areas: {} });
    assert.deepEqual(file.find('AB1 0AA'), {
      postcode: 'AB1 0AA',
      position: { latitude: 57.101474, longitude: -2.242851 },
      areas: { localAuthority: { code: 'S12000033' } },
      terminated: '1996-06',
    });
    assert.equal(file.positionOf('BT1 1AA'), undefined);
    assert.deepEqual(file.about, {
      version: '1',
      source: 'postcodes',
      importedAt: '2026-11-26',
      form: 'onspd',
      postcodes: 3,
      withoutPosition: 2,
      terminated: 1,
    });
  });

  it('in a zip has one table, or one for each area, and the names of areas', async (context) => {
    const line = 'LS1 4AP,,53.796200,-1.547800,E38000225\n';
    const head = `${HEAD},sicbl\n`;
    const names = {
      'Documents/SICBL names and codes EN as at 04_23.csv':
        'SICBL23CD,SICBL23CDH,SICBL23NM\nE38000225,15F,"NHS West Yorkshire, Leeds"\n',
      'Documents/2021 LSOA names and codes.csv': 'LSOA21CD,LSOA21NM\nE01000001,City 001A\n',
      'Documents/readme.csv': '"',
    };
    const zips: Content[] = [
      {
        ...names,
        'Data/ONSPD_FEB_2026_UK.csv': head + line,
        'Data/multi_csv/ONSPD_FEB_2026_UK_AB.csv': 'x',
      },
      {
        ...names,
        'Data/multi_csv/ONSPD_FEB_2026_UK_LS.csv': head + line,
        'Data/multi_csv/ONSPD_FEB_2026_UK_M.csv': `${head}M1 1AE,,53.477716,-2.234848,\n`,
      },
    ];
    for (const zip of zips) {
      const found = (await read(context, await bytesOf(zip))).find('LS1 4AP');
      assert.deepEqual(found?.areas, {
        subIcb: { code: 'E38000225', name: 'NHS West Yorkshire, Leeds', odsCode: '15F' },
      });
    }
  });
});

it('a Code-Point Open has eastings and northings, and positions within 5 m of them', async (context) => {
  const file = await read(
    context,
    await bytesOf({
      'Doc/Code-Point_Open_Column_Headers.csv': 'PC,PQ,EA,NO,CY,RH,LH,CC,DC,WC',
      'Data/CSV/ls.csv':
        '"LS1 4AP",10,429890,433425,"E92000001","E19000001","E18000002","","E08000035","E05011000"\r\n' +
        '"LS1 1AA",90,0,0,"E92000001","","","","E08000035",""\r\n',
      'Data/CSV/nr.csv':
        '"NR32 1AA",10,651410,313177,"E92000001","","","E10000029","E07000244",""\r\n',
    }),
  );
  assert.equal(file.about.form, 'code-point-open');
  const { position, ...rest } = file.find('NR32 1AA') ?? {};
  assert.ok(Math.abs((position?.latitude ?? 0) - 52.657978) < 0.000_01);
  assert.ok(Math.abs((position?.longitude ?? 0) - 1.716052) < 0.000_01);
  assert.deepEqual(rest, {
    postcode: 'NR32 1AA',
    grid: { easting: 651_410, northing: 313_177 },
    areas: { localAuthority: { code: 'E07000244' }, country: { code: 'E92000001' } },
  });
  assert.equal(file.positionOf('LS1 1AA'), undefined);
});

const GIVE = 'Give an ONS Postcode Directory or a Code-Point Open as it was published.';
const CODE_POINT = '"LS1 4AP",10,429890,433425,"E92000001","","","","E08000035",""\n';

/** Contents, and the message that refuses them. */
const REFUSED: readonly (readonly [what: string, Content, string])[] = [
  ['empty', '', `postcodes has no postcodes. ${GIVE}`],
  ['a header alone', `${HEAD}\n`, `postcodes has no postcodes. ${GIVE}`],
  [
    'other columns',
    'code,name,Lat\nRR8,LEEDS,53\n',
    `postcodes, line 1: there is no column for postcode and longitude. The first line has "code", "name", "Lat". ${GIVE}`,
  ],
  [
    'one long line',
    'x'.repeat(20_000),
    `postcodes, line 1: too long for a table of postcodes. ${GIVE}`,
  ],
  [
    'a short line',
    `${HEAD}\nLS1 4AP,,53.7962,-1.5478\nLS1 4DY,,53`,
    `postcodes, line 3: 3 cells, and the first line has 4. ${GIVE}`,
  ],
  [
    'cut off within a line',
    `${HEAD}\nLS1 4AP,,53.7962,-1.54`,
    `postcodes, line 2: the file ends within a line, so it was cut off. ${GIVE}`,
  ],
  [
    'no postcode',
    `${HEAD}\nLS1,,53.7962,-1.5478`,
    `postcodes, line 2: "LS1" is not a postcode. ${GIVE}`,
  ],
  [
    'a postcode twice',
    `${HEAD}\nLS1 4AP,,53.7962,-1.5478\nls14ap,,53.7962,-1.5478\n`,
    'The postcode LS1 4AP is in the file twice, as postcodes 1 and 2. Give the file as it was published.',
  ],
  ...['0,0', '53.7962,', ',-1.5', 'north,west', '-1.5478,53.7962', '1e9,NaN', 'Infinity,0'].map(
    (position) =>
      [
        `the position ${position}`,
        `${HEAD}\nLS1 4AP,,${position}`,
        `postcodes, line 2: the position ${position.replace(',', ', ').trim()} is not in the British Isles. ${GIVE}`,
      ] as const,
  ),
  [
    'a month',
    `${HEAD}\nLS1 4AP,201913,53.7962,-1.5478`,
    `postcodes, line 2: "201913" is not a month of termination, such as 201903. ${GIVE}`,
  ],
  [
    'an area',
    `${HEAD},icb\nLS1 4AP,,53.7962,-1.5478,<script>`,
    `postcodes, line 2: "<script>" is not the code of an area. ${GIVE}`,
  ],
  [
    'Code-Point Open without a grid reference',
    CODE_POINT.replace('429890', 'east'),
    `postcodes, line 1: "LS1 4AP" has no easting and northing. ${GIVE}`,
  ],
  [
    'Code-Point Open far at sea',
    CODE_POINT.replace('429890', '9999999'),
    `postcodes, line 1: the position 9999999, 433425 is not in the British Isles. ${GIVE}`,
  ],
  [
    'a zip of something else',
    { 'a.txt': 'x', 'b.xml': 'y' },
    `postcodes is another kind of zip, without a table of postcodes (it holds a.txt, b.xml). ${GIVE}`,
  ],
  [
    'a zip with a damaged table',
    { 'Data/ONSPD_FEB_2026_UK.csv': 'code,name\n' },
    `ONSPD_FEB_2026_UK.csv in postcodes, line 1: there is no column for postcode and latitude and longitude. The first line has "code", "name". ${GIVE}`,
  ],
];

describe('a file that is not one of postcodes is refused:', () => {
  for (const [what, content, message] of REFUSED) {
    it(what, async (context) => {
      const bytes = await bytesOf(content);
      await assert.rejects(read(context, bytes), { name: 'SourceError', message });
    });
  }

  it('a zip that was cut off, or changed', async (context) => {
    const lines = Array.from({ length: 500 }, (_, i) => `LS${1 + (i % 50)} ${i % 10}AA,,53.8,-1.5`);
    const zip = await bytesOf({
      'Data/ONSPD_FEB_2026_UK.csv': [HEAD, ...new Set(lines)].join('\n'),
    });
    await assert.rejects(read(context, zip.subarray(0, zip.length / 2)), {
      name: 'SourceError',
      message: /^postcodes is cut off or damaged \(.*\): fetch it again\.$/,
    });
    const changed = Buffer.from(zip);
    changed[100]! ^= 0xff;
    await assert.rejects(read(context, changed), {
      name: 'SourceError',
      message: /cut off or damaged|line \d+/,
    });
  });
});
