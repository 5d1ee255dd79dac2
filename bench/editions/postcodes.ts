/**
 * How long the import of a file of postcodes takes that is as large as the national one, the memory
 * that it has at its peak, and what is on the disk afterwards. The postcodes are invented.
 */
import { createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { round, type Table } from '../figures.ts';
import type { Options } from '../options.ts';
import { valueRow, valueTable } from '../value-table.ts';
import { measureProgram } from './import.ts';

const POSTCODES = 2_700_000;

export async function runPostcodes(options: Options): Promise<Table[]> {
  if (!options.isWanted('postcodes', 'postcodes')) return [];
  const folder = mkdtempSync(join(tmpdir(), 'gazetteer-bench-postcodes-'));
  try {
    const file = join(folder, 'onspd.csv');
    await pipeline(Readable.from(onspd()), createWriteStream(file));
    const data = join(folder, 'data');
    const words = ['import-postcodes', file, '--data', data, '--quiet'];
    const { seconds, peakMb, cpu } = await measureProgram(words);
    const disk = statSync(join(data, 'postcodes.bin')).size / 1e6;
    return [
      valueTable('postcodes', `Import of ${POSTCODES} postcodes`, [
        valueRow('postcodes-seconds', 'time', round(seconds), 's'),
        valueRow('postcodes-cpu', 'CPU', round(cpu), 's'),
        valueRow('postcodes-peak', 'largest resident memory', Math.round(peakMb), 'MB'),
        valueRow('postcodes-disk', 'on the disk', round(disk), 'MB'),
        valueRow('postcodes-file', 'the file', Math.round(statSync(file).size / 1e6), 'MB'),
      ]),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The columns of 2024, with those that are not read. */
const HEAD =
  'pcd,pcd2,pcds,dointr,doterm,oscty,ced,oslaua,osward,parish,usertype,oseast1m,osnrth1m,' +
  'osgrdind,oshlthau,nhser,ctry,rgn,streg,pcon,eer,teclec,ttwa,pct,itl,statsward,oa01,casward,' +
  'npark,lsoa01,msoa01,ur01ind,oac01,oa11,lsoa11,msoa11,wz11,sicbl,bua24,ru11ind,oac11,lat,long,' +
  'lep1,lep2,pfa,imd,calncv,icb,oa21,lsoa21,msoa21';

/** As many of an outward code as the national file has: about 900. */
const OF_OUTWARD = 900;

/** As many areas as it has: an LSOA for 60 postcodes, and the larger ones in proportion. */
function lineOf(number: number, names: readonly string[]): string {
  const outward = Math.floor(number / OF_OUTWARD);
  const at = number % OF_OUTWARD;
  const code = `${letter(outward / 99)}${letter(outward / 99 / 26)}${1 + (outward % 99)}`;
  const inward = `${at % 10}${letter(at / 10)}${letter(at / 260)}`;
  const lsoa = 1_000_000 + Math.floor(number / 60);
  const cells: Readonly<Record<string, string | number>> = {
    pcd: `"${code}${inward}"`,
    pcd2: `"${code} ${inward}"`,
    pcds: `"${code} ${inward}"`,
    dointr: '"198001"',
    doterm: number % 3 === 0 ? '"200106"' : '""',
    oslaua: `"E0${6_000_000 + Math.floor(number / 7000)}"`,
    oseast1m: 394_251,
    osnrth1m: '0806376',
    ctry: '"E92000001"',
    rgn: `"E1200000${1 + Math.floor(number / 300_000)}"`,
    lsoa11: `"E0${lsoa}"`,
    lsoa21: `"E0${lsoa + Number(number % 50 === 0)}"`,
    sicbl: `"E38000${100 + Math.floor(number / 26_000)}"`,
    icb: `"E54000${100 + Math.floor(number / 64_000)}"`,
    lat: (50 + ((number * 7919) % 8_000_000) / 1e6).toFixed(6),
    long: (-5 + ((number * 104_729) % 6_000_000) / 1e6).toFixed(6),
  };
  return names.map((name) => cells[name] ?? '"E99999999"').join(',');
}

function letter(number: number): string {
  return String.fromCharCode(65 + (Math.floor(number) % 26));
}

const LINES_AT_ONCE = 1000;

function* onspd(): Generator<string> {
  const names = HEAD.split(',');
  yield `${HEAD}\r\n`;
  for (let first = 0; first < POSTCODES; first += LINES_AT_ONCE) {
    const lines = Array.from({ length: LINES_AT_ONCE }, (_, at) => lineOf(first + at, names));
    yield `${lines.join('\r\n')}\r\n`;
  }
}
