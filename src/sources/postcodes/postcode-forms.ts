/**
 * The two forms of postcode files, and how a line of each becomes a postcode. ONS Postcode Directory
 * (https://geoportal.statistics.gov.uk): a header, whose names differ by year. Code-Point Open
 * (https://www.ordnancesurvey.co.uk/products/code-point-open): no header, ten cells in a fixed order.
 */

import { STORED_AREA_KINDS, type StoredAreaKind } from '../../directory/places/areas.ts';
import type { PostcodeRow } from '../../directory/places/build-postcodes.ts';
import { positionOfGrid } from '../../directory/places/national-grid.ts';
import {
  type Coordinates,
  type GridReference,
  type PostcodeForm,
  partsOfPostcode,
} from '../../directory/places/postcodes.ts';
import { BOUNDS, monthNumber } from '../../directory/places/stored-postcodes.ts';
import { printable, quoted } from '../text/source-text.ts';

/** A line cannot be read. The message says why. */
export class LineError extends Error {
  override readonly name = 'LineError';
}

export interface LineReader {
  readonly form: PostcodeForm;
  /** How many cells a line has. */
  readonly cells: number;
  readonly hasHeader: boolean;
  /** The cells as they are in the line, some in quotation marks. Throws a `LineError`. */
  read(cells: readonly string[]): PostcodeRow;
}

const QUOTE = 0x22;
/** The mark that UTF-8 files can begin with, as one character for each byte. */
const BYTE_ORDER_MARK = '\u00ef\u00bb\u00bf';

/** The text of a cell; empty if the line has no such cell. */
export function unquoted(cell = ''): string {
  if (cell.charCodeAt(0) === QUOTE) return cell.slice(1, -1);
  return cell.startsWith(BYTE_ORDER_MARK) ? unquoted(cell.slice(BYTE_ORDER_MARK.length)) : cell;
}

/** The names that a column has had, the preferred one first. */
const NAMES: Readonly<Record<StoredAreaKind, readonly RegExp[]>> &
  Readonly<Record<string, readonly RegExp[]>> = {
  postcode: [/^pcds$/, /^pcd8?$/, /^pcd[27]$/, /^postcode$/],
  latitude: [/^lat(itude)?$/],
  longitude: [/^long(itude)?$/],
  easting: [/^(os)?east1m$/],
  northing: [/^(os)?n(o)?rth1m$/],
  terminated: [/^doterm$/],
  localAuthority: [/^(os)?laua$/, /^lad(\d\d)?(cd)?$/],
  subIcb: [/^sicbl(\d\d)?(cd)?$/, /^ccg(\d\d)?(cd)?$/],
  icb: [/^icb(\d\d)?(cd)?$/, /^stp(\d\d)?(cd)?$/],
  region: [/^rgn(\d\d)?(cd)?$/, /^gor$/],
  lsoa11: [/^lsoa11(cd)?$/],
  lsoa21: [/^lsoa21(cd)?$/],
  country: [/^ctry(\d\d)?(cd)?$/],
  ward: [/^osward$/, /^wd(\d\d)?(cd)?$/],
  constituency: [/^pcon(\d\d)?(cd)?$/],
  cancerAlliance: [/^cal(ncv|\d\d)?(cd)?$/, /^cannet$/],
  nhsRegion: [/^nhser(\d\d)?(cd)?$/],
};

const REQUIRED = ['postcode', 'latitude', 'longitude'];

/** Knows the form by the first line. Throws a `LineError` that names the columns which it found. */
export function lineReaderOf(first: readonly string[]): LineReader {
  if (first.length === CODE_POINT_CELLS && partsOfPostcode(first[0] ?? '') !== undefined) {
    return {
      form: 'code-point-open',
      cells: CODE_POINT_CELLS,
      hasHeader: false,
      read: readCodePoint,
    };
  }
  const head = first.map((cell) => cell.trim().toLowerCase());
  const placeOf = (name: string) => {
    const places = NAMES[name]!.map((form) => head.findIndex((cell) => form.test(cell)));
    return places.find((place) => place >= 0) ?? -1;
  };
  const missing = REQUIRED.filter((name) => placeOf(name) < 0);
  if (missing.length > 0) {
    throw new LineError(
      `there is no column for ${missing.join(' and ')}. The first line has ` +
        `${first.slice(0, SHOWN_MAX).map(quoted).join(', ')}${first.length > SHOWN_MAX ? ', …' : ''}`,
    );
  }
  const [postcode, latitude, longitude, easting, northing, terminated] = [
    ...REQUIRED,
    'easting',
    'northing',
    'terminated',
  ].map(placeOf) as [number, number, number, number, number, number];
  const areas = STORED_AREA_KINDS.map((kind) => [kind, placeOf(kind)] as const).filter(
    ([, at]) => at >= 0,
  );
  return {
    form: 'onspd',
    cells: first.length,
    hasHeader: true,
    read: (cells) => ({
      parts: partsOf(unquoted(cells[postcode])),
      position: positionOf(unquoted(cells[latitude]), unquoted(cells[longitude])),
      grid: gridOf(unquoted(cells[easting]), unquoted(cells[northing])),
      areas: areasOf(areas.map(([kind, at]) => [kind, unquoted(cells[at])])),
      terminated: monthOf(unquoted(cells[terminated])),
    }),
  };
}

/** Enough to see what kind of file it is. */
const SHOWN_MAX = 12;

/** Postcode, quality, easting, northing, country, two old health areas, county, district, ward. */
const CODE_POINT_CELLS = 10;
const DISTRICT = 8;
const QUALITY_WITHOUT_POSITION = 90;

function readCodePoint(cells: readonly string[]): PostcodeRow {
  const [postcode = '', quality, easting = '', northing = '', country = ''] = cells.map(unquoted);
  const parts = partsOf(postcode);
  const grid = gridOf(easting, northing);
  if (grid === undefined) throw new LineError(`${quoted(postcode)} has no easting and northing`);
  const isKnown = Number(quality) < QUALITY_WITHOUT_POSITION && grid.northing > 0;
  return {
    parts,
    position: isKnown ? within(positionOfGrid(grid), `${easting}, ${northing}`) : undefined,
    grid: isKnown ? grid : undefined,
    areas: areasOf([
      ['localAuthority', unquoted(cells[DISTRICT])],
      ['country', country],
    ]),
    terminated: 0,
  };
}

function partsOf(text: string): PostcodeRow['parts'] {
  const parts = partsOfPostcode(text);
  if (parts === undefined) throw new LineError(`${quoted(text)} is not a postcode`);
  return parts;
}

/** The directory writes 99.999999 for a position that it does not know. */
const UNKNOWN_LATITUDE = 99.999999;

function positionOf(latitudeText: string, longitudeText: string): Coordinates | undefined {
  if (latitudeText === '' && longitudeText === '') return undefined;
  const latitude = Number(latitudeText);
  if (latitude === UNKNOWN_LATITUDE) return undefined;
  const given = `${latitudeText}, ${longitudeText}`;
  if (latitudeText === '' || longitudeText === '') throw outside(given);
  return within({ latitude, longitude: Number(longitudeText) }, given);
}

/** `given`: as the file has it. */
function within(position: Coordinates, given: string): Coordinates {
  const { latitude, longitude } = position;
  const { south, north, west, east } = BOUNDS;
  const isWithin = latitude >= south && latitude <= north && longitude >= west && longitude <= east;
  if (!isWithin) throw outside(given);
  return position;
}

function outside(given: string): LineError {
  return new LineError(`the position ${printable(given)} is not in the British Isles`);
}

function gridOf(easting: string, northing: string): GridReference | undefined {
  const grid = { easting: Number(easting), northing: Number(northing) };
  const isKnown = easting !== '' && northing !== '' && !Number.isNaN(grid.easting + grid.northing);
  return isKnown ? grid : undefined;
}

function monthOf(text: string): number {
  if (text === '') return 0;
  const month = monthNumber(text);
  if (month !== undefined) return month;
  throw new LineError(`${quoted(text)} is not a month of termination, such as 201903`);
}

function areasOf(areas: readonly (readonly [StoredAreaKind, string])[]): PostcodeRow['areas'] {
  const found: Partial<Record<StoredAreaKind, string>> = {};
  for (const [kind, code] of areas) {
    if (code === '' || NO_AREA.test(code)) continue;
    if (!AREA_CODE.test(code)) throw new LineError(`${quoted(code)} is not the code of an area`);
    found[kind] = code;
  }
  return found;
}

/** The directory writes `S99999999` where a country has no such areas. */
const NO_AREA = /^[A-Z]9{8}$/;
const AREA_CODE = /^[A-Z0-9]{3,12}$/;
