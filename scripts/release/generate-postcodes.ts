/**
 * Writes a file of the postcodes of a release, in the form of an ONS Postcode Directory. Positions
 * are near the centre of the postcode area, and codes of areas are invented.
 *
 * `npm run sample:postcodes -- sample/organisations.zip sample/postcodes.zip`
 */
import { open } from 'node:fs/promises';
import { gridReferenceOf } from '../../src/directory/places/national-grid.ts';
import { partsOfPostcode } from '../../src/directory/places/postcodes.ts';
import { createDirectory } from '../../src/library/create-directory.ts';
import { zipBytes } from './zip.ts';

/** The centre of each postcode area: north and east in hundredths of a degree. */
const CENTRES =
  'AB 5715 -211 AL 5175 -33 B 5248 -189 BA 5138 -236 BB 5375 -248 BD 5379 -176 BH 5072 -188 BL 5358 -243 ' +
  'BN 5083 -14 BR 5141 2 BS 5145 -259 BT 5460 -593 CA 5489 -293 CB 5220 12 CF 5148 -318 CH 5319 -289 ' +
  'CM 5174 47 CO 5189 90 CR 5137 -10 CT 5128 108 CV 5241 -151 CW 5310 -244 DA 5145 22 DD 5646 -297 ' +
  'DE 5292 -148 DG 5507 -361 DH 5478 -158 DL 5453 -156 DN 5352 -113 DT 5071 -244 DY 5251 -209 E 5154 -3 ' +
  'EC 5152 -10 EH 5595 -319 EN 5165 -8 EX 5072 -353 FK 5600 -378 FY 5382 -303 G 5586 -425 GL 5186 -224 ' +
  'GU 5124 -57 HA 5158 -34 HD 5365 -178 HG 5399 -154 HP 5163 -75 HR 5206 -272 HS 5821 -639 HU 5374 -34 ' +
  'HX 5372 -186 IG 5156 7 IM 5415 -448 IP 5206 116 IV 5748 -422 JE 4919 -211 GY 4946 -254 KA 5561 -450 ' +
  'KT 5140 -30 KW 5859 -353 KY 5611 -316 L 5341 -298 LA 5405 -280 LD 5224 -338 LE 5264 -113 LL 5305 -300 ' +
  'LN 5323 -54 LS 5380 -155 LU 5188 -42 M 5348 -224 ME 5139 54 MK 5204 -76 ML 5578 -399 N 5157 -10 ' +
  'NE 5497 -161 NG 5295 -115 NN 5224 -90 NP 5159 -300 NR 5263 130 NW 5154 -18 OL 5354 -212 OX 5175 -126 ' +
  'PA 5585 -463 PE 5257 -24 PH 5640 -343 PL 5037 -414 PO 5080 -109 PR 5376 -270 RG 5146 -97 RH 5119 -19 ' +
  'RM 5157 18 S 5338 -147 SA 5162 -394 SE 5149 -6 SG 5190 -20 SK 5341 -216 SL 5151 -60 SM 5136 -19 ' +
  'SN 5156 -179 SO 5091 -140 SP 5107 -180 SR 5491 -138 SS 5154 71 ST 5300 -218 SW 5149 -17 SY 5271 -275 ' +
  'TA 5102 -310 TD 5560 -243 TF 5269 -245 TN 5113 26 TQ 5046 -353 TR 5026 -505 TS 5457 -124 TW 5145 -34 ' +
  'UB 5153 -43 W 5151 -20 WA 5339 -260 WC 5152 -12 WD 5166 -40 WF 5368 -150 WN 5355 -263 WR 5219 -222 ' +
  'WS 5258 -198 WV 5259 -213 YO 5396 -108 ZE 6015 -115';

const centres = new Map(
  Array.from(CENTRES.matchAll(/([A-Z]+) (\d+) (-?\d+)/g), ([, area = '', north, east]) => [
    area,
    { latitude: Number(north) / 100, longitude: Number(east) / 100 },
  ]),
);
const areas = [...centres.keys()];

/** How far a postcode can be from the centre, in degrees. */
const SPREAD = 0.06;

/** From -1 to 1, always the same for the same text. */
function scatter(text: string): number {
  let hash = 2_166_136_261;
  for (const character of text) hash = Math.imul(hash ^ character.charCodeAt(0), 16_777_619);
  return ((hash >>> 8) % 20_001) / 10_000 - 1;
}

const HEAD = 'pcds,doterm,oslaua,oseast1m,osnrth1m,ctry,rgn,lsoa11,sicbl,lat,long,icb,lsoa21';

function lineOf([outward, inward]: readonly [string, string]): string | undefined {
  const postcode = `${outward} ${inward}`;
  const area = /^[A-Z]+/.exec(outward)?.[0] ?? '';
  const centre = centres.get(area);
  if (centre === undefined) return undefined;
  const number = String(areas.indexOf(area)).padStart(3, '0');
  const latitude = (centre.latitude + SPREAD * scatter(`north ${postcode}`)).toFixed(6);
  const longitude = (centre.longitude + SPREAD * scatter(`east ${postcode}`)).toFixed(6);
  const { easting, northing } = gridReferenceOf({
    latitude: Number(latitude),
    longitude: Number(longitude),
  });
  // One in a hundred is out of use, and one has no position.
  const place = scatter(`state ${postcode}`);
  const isTerminated = place > 0.98;
  const cells = [
    postcode,
    isTerminated ? '201903' : '',
    `E06000${number}`,
    ...(place < -0.98 ? ['', ''] : [Math.round(easting), Math.round(northing)]),
    'E92000001',
    `E1200000${1 + (areas.indexOf(area) % 9)}`,
    `E01000${number}`,
    `E38000${number}`,
    ...(place < -0.98 ? ['99.999999', '0.000000'] : [latitude, longitude]),
    `E54000${number}`,
    `E01000${number}`,
  ];
  return cells.join(',');
}

const [release = '', out = ''] = process.argv.slice(2);
const directory = await createDirectory({ release });
const postcodes = new Map<string, readonly [string, string]>();
for await (const { address } of directory.all()) {
  const parts = partsOfPostcode([address].flat()[0]?.postalCode ?? '');
  if (parts !== undefined) postcodes.set(parts.join(' '), parts);
}
const lines = [...postcodes.keys()].toSorted().flatMap((key) => lineOf(postcodes.get(key)!) ?? []);
const torquay = String(areas.indexOf('TQ')).padStart(3, '0');
const tables = [
  ['Data/ONSPD_SAMPLE_UK.csv', [HEAD, ...lines]],
  [
    'Documents/SICBL names and codes EN as at sample.csv',
    ['SICBL26CD,SICBL26CDH,SICBL26NM', `E38000${torquay},00A,NHS Torquay and Quarry ICB`],
  ],
] as const;
await using file = await open(out, 'w');
const entries = tables.map(([name, rows]) => ({
  name,
  content: [Buffer.from(`${rows.join('\r\n')}\r\n`)],
}));
for await (const bytes of zipBytes(entries)) await file.write(bytes);
process.stdout.write(`Wrote ${out}: ${lines.length} postcodes of ${release}.\n`);
