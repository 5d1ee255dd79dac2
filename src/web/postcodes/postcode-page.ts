/** The page of a postcode: where it is, and what it belongs to. */

import { placeOf } from '../../directory/ask/place-of.ts';
import type { Edition } from '../../directory/edition/edition.ts';
import { AREA_KINDS, type AreaKind, type PostcodeAnswer } from '../../directory/places/areas.ts';
import { FhirError } from '../../fhir/request/fhir-error.ts';
import { POSTCODES } from '../../interfaces/questions/postcode-question.ts';
import type { Addresses } from '../parts/addresses.ts';
import { editionRoute, showFound } from '../parts/answers.ts';
import { formatDate } from '../parts/display.ts';
import { POSTCODES_MISSING, postcodeNotFound } from '../parts/postcode-words.ts';
import type { PageRoute, WebContext } from '../parts/web-options.ts';

export function postcodeRoute(options: WebContext): PageRoute {
  return editionRoute(options, '/postcode', (edition, request) => {
    const asked = request.parameters.get('postcode')?.trim() ?? '';
    const page = {
      title: 'Postcode',
      asked,
      source: edition.postcodes?.about.source,
    };
    return showFound(options, request, 'postcode.njk', page, () =>
      answerOf(edition, asked, options),
    );
  });
}

function answerOf(edition: Edition, asked: string, { addresses, today }: WebContext): object {
  if (edition.postcodes === undefined) throw FhirError.of('invalid-request', POSTCODES_MISSING);
  const answer = placeOf(edition, asked, today());
  if (asked === '') return {};
  if (answer.outcome === 'unknown') {
    throw FhirError.of('no-record', postcodeNotFound(answer.postcode));
  }
  const refusal = POSTCODES.refusalOf?.(answer);
  if (refusal !== undefined) throw refusal;
  const { terminated, outcome } = answer;
  return {
    ...answer,
    ...(terminated && { until: formatDate(terminated), isTerminated: outcome === 'terminated' }),
    areas: areasOf(answer, addresses),
    hasNames: AREA_KINDS.some((kind) => answer[kind]?.name !== undefined),
    json: addresses.postcode(answer.postcode),
  };
}

const AREA_NAMES: Readonly<Record<AreaKind, string>> = {
  localAuthority: 'Local authority',
  subIcb: 'Sub-ICB location',
  icb: 'Integrated care board',
  region: 'Region',
  lsoa11: 'Lower layer super output area of 2011',
  lsoa21: 'Lower layer super output area of 2021',
  country: 'Country',
};

function areasOf(answer: PostcodeAnswer, addresses: Addresses): readonly object[] {
  return AREA_KINDS.flatMap((kind) => {
    const area = answer[kind];
    if (area === undefined) return [];
    const { organisation } = area;
    const href = organisation && addresses.organization(organisation.code);
    return [{ ...area, kind: AREA_NAMES[kind], href }];
  });
}
