/**
 * Distances on the earth, from the straight line between two points of the WGS 84 ellipsoid. A line
 * through the earth needs no trigonometry once the points are known, and it follows the flattening: up
 * to 1,000 km, it differs by less than 0.01 % from the shortest way on the ellipsoid, and haversine by
 * 0.4 %.
 */
import type { Coordinates } from '../../places/postcodes.ts';

/** Metres from the centre of the earth: to 0° N 0° E, to 0° N 90° E, and to the north pole. */
export interface Point {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

const EQUATOR_RADIUS = 6_378_137;
const FLATTENING = 1 / 298.257_223_563;
const ECCENTRICITY_SQUARED = FLATTENING * (2 - FLATTENING);
const MEAN_DIAMETER = 2 * 6_371_008.8;

/** The point of the ellipsoid at a position. */
export function pointOf({ latitude, longitude }: Coordinates): Point {
  const [north, east] = [(latitude * Math.PI) / 180, (longitude * Math.PI) / 180];
  const sine = Math.sin(north);
  const radius = EQUATOR_RADIUS / Math.sqrt(1 - ECCENTRICITY_SQUARED * sine * sine);
  const fromAxis = radius * Math.cos(north);
  return {
    x: fromAxis * Math.cos(east),
    y: fromAxis * Math.sin(east),
    z: radius * (1 - ECCENTRICITY_SQUARED) * sine,
  };
}

/** The way on the surface, in metres, of a straight line of this length. */
export function metresOf(line: number): number {
  return MEAN_DIAMETER * Math.asin(Math.min(1, line / MEAN_DIAMETER));
}

/** The straight line, in metres, of a way on the surface that is at most half around the earth. */
export function lineOf(metres: number): number {
  return MEAN_DIAMETER * Math.sin(metres / MEAN_DIAMETER);
}
