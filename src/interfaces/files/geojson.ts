/** Organisations as a GeoJSON FeatureCollection: https://www.rfc-editor.org/rfc/rfc7946 */

import { distanceAt, kilometres } from '../../directory/ask/near.ts';
import { placeCells, requirePostcodes } from '../../directory/ask/place-of.ts';
import { displaysOf } from '../../directory/record/concepts.ts';
import { prefixedId, statusText } from '../../directory/record/ids.ts';
import { primaryRoleOf } from '../../directory/record/record-facts.ts';
import type { MakeExportFormat } from '../faces/export-matches.ts';

/**
 * A Feature for each organisation: a point at its postcode, or no geometry if the position is not
 * known. Throws a FhirError if no postcodes were imported.
 */
export const geoJsonFormat: MakeExportFormat = ({ edition }, _baseUrl, _day, { near }) => {
  requirePostcodes(edition);
  const roles = displaysOf(edition.codeSystems.roles);
  return {
    head: '{"type":"FeatureCollection","features":[\n',
    row: (row, writer, isFirst) => {
      const record = edition.rows.recordAt(row);
      const { code, name, isActive, address } = record;
      const { latitude, longitude } = placeCells(edition, record);
      const metres = near && distanceAt(edition, near, row);
      const role = primaryRoleOf(record)?.code;
      const feature = {
        type: 'Feature',
        id: code,
        geometry:
          latitude === undefined ? null : { type: 'Point', coordinates: [longitude, latitude] },
        properties: {
          code,
          name,
          status: statusText(isActive),
          primaryRole: prefixedId('RO', role),
          primaryRoleName: roles.get(role ?? ''),
          town: address?.city,
          postcode: address?.postalCode,
          ...(metres !== undefined && { kilometres: kilometres(metres) }),
        },
      };
      writer.text(`${isFirst ? '' : ',\n'}${JSON.stringify(feature)}`);
    },
    end: '\n]}\n',
  };
};
