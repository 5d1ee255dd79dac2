/** The parameter `near` of all interfaces: a postcode or a position, and how far away matches may be. */

import { FhirError } from '../../fhir/request/fhir-error.ts';
import type { NearCriterion } from '../../fhir/search/criterion.ts';
import { type CriterionParameter, criterionParameter } from '../../fhir/search/parameter.ts';
import { type Parsed, refused } from '../../fhir/search/parsed.ts';
import type { Edition } from '../edition/edition.ts';
import type { Coordinates, Postcodes } from '../places/postcodes.ts';
import { compactPostalCode, isWholePostalCode } from '../record/postal-code.ts';

export const NEAR_DOCUMENTATION =
  'At most this far from a postcode or a position: LS1 4AP|5|km or 53.79,-1.55|5, with km or mi; the ' +
  'nearest first.';

/** Longer than from the Channel Islands to the north of Scotland. */
export const NEAR_KILOMETRES_MAX = 1000;

const METRES = new Map([
  ['km', 1000],
  ['mi', 1609.344],
]);

/** The postcodes that the server has now. */
export type PostcodesOf = () => Postcodes | undefined;

export const NO_POSTCODES: PostcodesOf = () => undefined;

export const NEAR_PARAMETER: CriterionParameter<
  NearCriterion,
  { readonly postcodesOf: PostcodesOf }
> = criterionParameter(
  { name: 'near', type: 'string', documentation: NEAR_DOCUMENTATION, isRepeatable: false },
  // The comma of a position separates no alternatives.
  (alternatives, _modifier, { postcodesOf }) =>
    readNear(alternatives.map((parts) => parts.join('|')).join(','), postcodesOf()),
);

/**
 * Says what is wrong with a text, and what to write. `name` is that of the parameter; `remedy` a
 * sentence for people who do not write the parameter itself.
 */
export function readNear(
  text: string,
  postcodes: Postcodes | undefined,
  name = 'near',
  remedy = `Write ${name}=LS1 4AP|5|km or ${name}=53.79,-1.55|5.`,
): Parsed<NearCriterion> {
  if (postcodes === undefined) {
    return refused('invalid-value', `${name} needs postcodes. ${IMPORT_POSTCODES}`);
  }
  const [place = '', distance = '', unit = 'km', ...others] = text.split('|');
  const wrong = (problem: string) => refused('invalid-value', `${problem} ${remedy}`);
  if (others.length > 0) return wrong(`${name} has more than three parts.`);
  if (place.trim() === '') return wrong(`${name} has no postcode and no position.`);
  if (distance.trim() === '') return wrong(`${name} has no distance.`);
  const inUnit = METRES.get(unit.trim());
  if (inUnit === undefined) return wrong(`The unit of ${name} must be km or mi.`);
  const metres = readNumber(distance) * inUnit;
  if (!(metres > 0 && metres <= NEAR_KILOMETRES_MAX * 1000)) {
    return wrong(
      `The distance of ${name} must be a number above 0, and at most ${NEAR_KILOMETRES_MAX} km.`,
    );
  }
  const position = readPlace(place, postcodes);
  if (typeof position === 'string') return wrong(`${name}: ${placeProblemText(position, place)}`);
  const { latitude, longitude } = position;
  return { value: { type: 'near', latitude, longitude, metres } };
}

/** What to write as a place alone. */
export const WRITE_PLACE =
  'Write a postcode such as LS1 4AP, or a latitude, a comma and a longitude, such as 53.79,-1.55.';

/** As `readNear`; throws a FhirError. */
export function requireNear(...given: Parameters<typeof readNear>): NearCriterion {
  const near = readNear(...given);
  if ('value' in near) return near.value;
  throw new FhirError(near.issues);
}

/** The remedy where a server has no postcodes. */
export const IMPORT_POSTCODES =
  'This directory has none: its operator imports an open file of them with "gazetteer import-postcodes FILE".';

/** NaN for any text but a decimal number. */
function readNumber(text: string): number {
  return /^-?\d{1,15}(\.\d{1,15})?$/.test(text.trim()) ? Number(text) : Number.NaN;
}

/**
 * Why a text is no place: it is not a whole postcode, the file has no position for the postcode, or
 * two numbers are not a latitude and a longitude.
 */
export type PlaceProblem = 'not-whole' | 'no-position' | 'not-degrees';

/** A postcode, or a latitude, a comma and a longitude in degrees. */
export function readPlace(text: string, postcodes: Postcodes): Coordinates | PlaceProblem {
  return text.includes(',') ? readPosition(text) : positionOf(text, postcodes);
}

/** For programs. */
function placeProblemText(problem: PlaceProblem, place: string): string {
  switch (problem) {
    case 'not-whole':
      return 'the postcode is not a whole one, such as LS1 4AP.';
    case 'no-position':
      return `the file of postcodes has no position for ${compactPostalCode(place)}. Send the position, or a postcode nearby.`;
    case 'not-degrees':
      return 'a position is a latitude from -90 to 90, a comma, and a longitude from -180 to 180.';
  }
}

function readPosition(text: string): Coordinates | PlaceProblem {
  const [latitude = Number.NaN, longitude = Number.NaN, ...others] = text
    .split(',', 3)
    .map(readNumber);
  const isPosition = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 && others.length === 0;
  return isPosition ? { latitude, longitude } : 'not-degrees';
}

function positionOf(text: string, postcodes: Postcodes): Coordinates | PlaceProblem {
  const compact = compactPostalCode(text.slice(0, POSTCODE_LENGTH_MAX + 1));
  if (text.length > POSTCODE_LENGTH_MAX || !isWholePostalCode(compact.toLowerCase())) {
    return 'not-whole';
  }
  return postcodes.positionOf(compact) ?? 'no-position';
}

/** With spaces. */
const POSTCODE_LENGTH_MAX = 20;

export function nearOf(criteria: readonly { readonly type: string }[]): NearCriterion | undefined {
  return criteria.find((criterion): criterion is NearCriterion => criterion.type === 'near');
}

/** The distance in metres of an organisation, by its row in both sections of the edition. */
export function distanceAt(
  { index, references }: Pick<Edition, 'index' | 'references'>,
  near: NearCriterion,
  row: number,
): number | undefined {
  return row < index.count
    ? index.distanceOf(near, row)
    : references.index.distanceOf(near, row - index.count);
}

/** In kilometres, to the nearest ten metres: postcodes are no more exact. */
export function kilometres(metres: number): number {
  return Math.round(metres / 10) / 100;
}

/**
 * The extension with the distance of a match. It belongs to `Bundle.entry.search`, in STU3 too:
 * https://hl7.org/fhir/R4/extension-location-distance.html
 */
const DISTANCE_URL = 'http://hl7.org/fhir/StructureDefinition/location-distance';

/** The extensions of `search` in the entry of a match. */
export function distanceExtensions(
  near: NearCriterion,
  edition: Edition,
  row: number,
): readonly object[] {
  const metres = distanceAt(edition, near, row);
  if (metres === undefined) return [];
  const valueDistance = {
    value: kilometres(metres),
    unit: 'km',
    system: 'http://unitsofmeasure.org',
    code: 'km',
  };
  return [{ url: DISTANCE_URL, valueDistance }];
}
