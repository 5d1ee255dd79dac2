/** The code systems of postcodes, and of the areas that they are in. */

import {
  type GeographyAreas,
  geographyOfPostcode,
} from '../../../../directory/ask/geography-areas.ts';
import { geographyNames } from '../../../../directory/ask/geography-names.ts';
import { IMPORT_POSTCODES } from '../../../../directory/ask/near.ts';
import { isOutOfUse } from '../../../../directory/ask/place-of.ts';
import type { FoundPostcode } from '../../../../directory/places/postcodes.ts';
import type { NamedCode } from '../../../../directory/record/named-code.ts';
import { R4_SYSTEMS } from '../../resources/systems.ts';
import { codeSystem } from './code-system.ts';
import type { CodeContext, CodeItem } from './code-system-row.ts';
import { codesInArrays } from './codes-in-arrays.ts';
import { geographyProperties } from './properties.ts';

interface PostcodeItem extends CodeItem {
  areas(context: CodeContext): GeographyAreas;
}

function postcodeItem(found: FoundPostcode, day: string): PostcodeItem {
  let areas: GeographyAreas | undefined;
  const { postcode, terminated } = found;
  return {
    code: postcode,
    display: postcode,
    isInactive: isOutOfUse(terminated, day),
    areas: ({ edition }) => {
      areas ??= geographyOfPostcode(edition, found, day);
      return areas;
    },
  };
}

export const POSTCODE_CODES = codeSystem<PostcodeItem>({
  id: 'postcode',
  name: 'Postcode',
  url: R4_SYSTEMS.postcode,
  title: 'Postcode',
  remedyOf: ({ postcodes }) => (postcodes === undefined ? IMPORT_POSTCODES : undefined),
  usualProperties: [],
  filters: [],
  properties: geographyProperties(({ areas }, context) => areas(context)),
  open: ({ postcodes }) =>
    codesInArrays({
      count: postcodes?.about.postcodes ?? 0,
      find: (code, day) => {
        const found = postcodes?.find(code);
        // Other spellings of a postcode are no codes.
        return found?.postcode === code ? postcodeItem(found, day) : undefined;
      },
      at: (place, day) => postcodeItem(postcodes!.at(place), day),
      isActiveAt: (place, day) => !isOutOfUse(postcodes?.terminatedAt(place), day),
    }),
});

/** The words of the national service for an area without a name. */
function areaItem({ code, name }: NamedCode): CodeItem {
  return { code, display: name ?? `Name not currently available for code: ${code}` };
}

export const GEOGRAPHY_NAME_CODES = codeSystem<CodeItem>({
  id: 'geography-name',
  name: 'GeographyName',
  url: R4_SYSTEMS.geographyName,
  title: 'Area',
  filters: [],
  properties: [],
  open: (edition) =>
    codesInArrays({
      get count() {
        return geographyNames(edition).count;
      },
      find: (code) => {
        const found = geographyNames(edition).find(code);
        return found && areaItem(found);
      },
      at: (place) => areaItem(geographyNames(edition).at(place)),
    }),
});
