/**
 * The National Grid of Great Britain: eastings and northings for positions, and the way back.
 * Formulas and constants: Ordnance Survey, "A guide to coordinate systems in Great Britain",
 * https://www.ordnancesurvey.co.uk/documents/resources/guide-coordinate-systems-great-britain.pdf.
 * The seven-parameter transformation there (section 6.6) is right within 5 m.
 */
import type { Coordinates, GridReference } from './postcodes.ts';

export function gridReferenceOf({ latitude, longitude }: Coordinates): GridReference {
  return projected(toAiry(latitude * DEGREE, longitude * DEGREE));
}

/**
 * Approaches the position: a step north or east on the ground is nearly one on the grid. The error
 * shrinks to a tenth in each step, at the edges of the grid too.
 */
export function positionOfGrid({ easting, northing }: GridReference): Coordinates {
  let latitude = 49 + (northing + 100_000) / METRES_OF_DEGREE;
  let longitude = -2 + (easting - 400_000) / METRES_OF_DEGREE / Math.cos(latitude * DEGREE);
  for (let step = 0; step < STEPS_MAX; step++) {
    const found = gridReferenceOf({ latitude, longitude });
    const north = northing - found.northing;
    const east = easting - found.easting;
    latitude += north / METRES_OF_DEGREE;
    longitude += east / METRES_OF_DEGREE / Math.cos(latitude * DEGREE);
    if (Math.abs(north) < CLOSE_METRES && Math.abs(east) < CLOSE_METRES) break;
  }
  return { latitude, longitude };
}

const DEGREE = Math.PI / 180;
const METRES_OF_DEGREE = 111_200;
const CLOSE_METRES = 0.2;
const STEPS_MAX = 20;

/** Airy 1830, and the ellipsoid of WGS 84: half axes in metres, and the eccentricity squared. */
const AIRY = { a: 6_377_563.396, b: 6_356_256.909, e2: 1 - (6_356_256.909 / 6_377_563.396) ** 2 };
const WGS = { a: 6_378_137, e2: 1 - (6_356_752.314245 / 6_378_137) ** 2 };

/** From WGS 84 to OSGB36: metres, parts, radians. */
const SHIFT = { x: -446.448, y: 125.157, z: -542.06 };
const SCALE = 1 + 20.4894e-6;
const SECOND = DEGREE / 3600;
const TURN = { x: -0.1502 * SECOND, y: -0.247 * SECOND, z: -0.8421 * SECOND };

/** A latitude and a longitude in radians. */
type Angles = readonly [latitude: number, longitude: number];

/** The same place at sea level as OSGB36 has it, through coordinates from the centre of the earth. */
function toAiry(latitude: number, longitude: number): Angles {
  const radius = WGS.a / Math.sqrt(1 - WGS.e2 * Math.sin(latitude) ** 2);
  const x = radius * Math.cos(latitude) * Math.cos(longitude);
  const y = radius * Math.cos(latitude) * Math.sin(longitude);
  const z = radius * (1 - WGS.e2) * Math.sin(latitude);
  const turnedX = SHIFT.x + SCALE * x - TURN.z * y + TURN.y * z;
  const turnedY = SHIFT.y + TURN.z * x + SCALE * y - TURN.x * z;
  const turnedZ = SHIFT.z - TURN.y * x + TURN.x * y + SCALE * z;
  const across = Math.hypot(turnedX, turnedY);
  let found = Math.atan2(turnedZ, across * (1 - AIRY.e2));
  for (let step = 0; step < 2; step++) {
    const normal = AIRY.a / Math.sqrt(1 - AIRY.e2 * Math.sin(found) ** 2);
    found = Math.atan2(turnedZ + AIRY.e2 * normal * Math.sin(found), across);
  }
  return [found, Math.atan2(turnedY, turnedX)];
}

const CENTRE_SCALE = 0.9996012717;
const ORIGIN = { latitude: 49 * DEGREE, longitude: -2 * DEGREE };
const FALSE = { easting: 400_000, northing: -100_000 };

/** The Transverse Mercator projection of a place on Airy 1830, by the names of the guide (annexe C.1). */
export function projected([latitude, longitude]: Angles): GridReference {
  const sin2 = Math.sin(latitude) ** 2;
  const cos = Math.cos(latitude);
  const tan2 = Math.tan(latitude) ** 2;
  const nu = (AIRY.a * CENTRE_SCALE) / Math.sqrt(1 - AIRY.e2 * sin2);
  const rho = (AIRY.a * CENTRE_SCALE * (1 - AIRY.e2)) / (1 - AIRY.e2 * sin2) ** 1.5;
  const eta2 = nu / rho - 1;
  const half = (nu / 2) * Math.sin(latitude) * cos;
  const east = longitude - ORIGIN.longitude;
  const iii = half * (5 - tan2 + 9 * eta2) * (cos ** 2 / 12);
  const iiia = half * (61 - 58 * tan2 + tan2 ** 2) * (cos ** 4 / 360);
  const v = (nu / 6) * cos ** 3 * (nu / rho - tan2);
  const vi = (nu / 120) * cos ** 5 * (5 - 18 * tan2 + tan2 ** 2 + 14 * eta2 - 58 * tan2 * eta2);
  const i = meridian(latitude) + FALSE.northing;
  return {
    easting: FALSE.easting + nu * cos * east + v * east ** 3 + vi * east ** 5,
    northing: i + half * east ** 2 + iii * east ** 4 + iiia * east ** 6,
  };
}

/** The length of the meridian from the origin to a latitude, in metres. */
function meridian(latitude: number): number {
  const n = (AIRY.a - AIRY.b) / (AIRY.a + AIRY.b);
  const less = latitude - ORIGIN.latitude;
  const more = latitude + ORIGIN.latitude;
  return (
    AIRY.b *
    CENTRE_SCALE *
    ((1 + n + 1.25 * n ** 2 + 1.25 * n ** 3) * less -
      (3 * n + 3 * n ** 2 + 2.625 * n ** 3) * Math.sin(less) * Math.cos(more) +
      1.875 * (n ** 2 + n ** 3) * Math.sin(2 * less) * Math.cos(2 * more) -
      (35 / 24) * n ** 3 * Math.sin(3 * less) * Math.cos(3 * more))
  );
}
