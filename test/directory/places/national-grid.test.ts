/** The National Grid, compared with points that Ordnance Survey and others publish. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  gridReferenceOf,
  positionOfGrid,
  projected,
} from '../../../src/directory/places/national-grid.ts';

function radians(degrees: number, minutes: number, seconds: number): number {
  return ((degrees + minutes / 60 + seconds / 3600) * Math.PI) / 180;
}

describe('the National Grid', () => {
  it('projects the worked example of the guide of Ordnance Survey within a millimetre', () => {
    const caister = projected([radians(52, 39, 27.2531), radians(1, 43, 4.5177)]);
    assert.ok(Math.abs(caister.easting - 651_409.903) < 0.001);
    assert.ok(Math.abs(caister.northing - 313_177.27) < 0.001);
  });

  /**
   * Stations of OS Net: ETRS89 and OSGB36 by OSTN15, from the test data of the transformation,
   * https://www.ordnancesurvey.co.uk/business-government/tools-support/os-net/transformation
   */
  const STATIONS = [
    ['St Mary, Scilly', 49.92226394, -6.29977752, 91_492.146, 11_318.804],
    ['Lizard', 49.96006138, -5.20304609, 170_370.718, 11_572.405],
    ['London', 51.48936565, -0.11992557, 530_624.974, 178_388.464],
    ['Edinburgh', 55.92478266, -3.29479219, 319_188.434, 670_947.534],
    ['Sumburgh, Shetland', 59.85409914, -1.27486911, 440_725.073, 1_107_878.448],
    ['St Kilda', 57.81351838, -8.57854461, 9_587.906, 899_448.993],
  ] as const;

  it('is within 5 m of the stations of OS Net, and back', () => {
    for (const [name, latitude, longitude, easting, northing] of STATIONS) {
      const found = gridReferenceOf({ latitude, longitude });
      assert.ok(Math.hypot(found.easting - easting, found.northing - northing) < 5, name);
    }
  });

  it('finds the position of every reference of the grid again', () => {
    for (let easting = 5_000; easting < 700_000; easting += 23_000) {
      for (let northing = 5_000; northing < 1_230_000; northing += 41_000) {
        const found = gridReferenceOf(positionOfGrid({ easting, northing }));
        assert.ok(Math.hypot(found.easting - easting, found.northing - northing) < 0.1);
      }
    }
    const { latitude, longitude } = positionOfGrid({ easting: 651_409.903, northing: 313_177.27 });
    assert.ok(Math.abs(latitude - 52.657978) < 0.000002);
    assert.ok(Math.abs(longitude - 1.716052) < 0.000002);
  });
});
