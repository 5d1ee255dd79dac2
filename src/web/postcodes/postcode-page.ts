/** The page of a postcode: where it is, and what it belongs to. */
import { findPostcode, POSTCODES } from '../../directory/codes/postcode-question.ts';
import type { Edition } from '../../directory/edition/edition.ts';
import { AREA_KINDS, type AreaKind } from '../../directory/places/postcodes.ts';
import type { PostcodeAnswer } from '../../directory/time/answers.ts';
import { ERROR_ROWS, FhirError } from '../../fhir/service/fhir-error.ts';
import type { Addresses } from '../addresses.ts';
import { editionRoute } from '../answers.ts';
import { formatDate } from '../display.ts';
import { editionLabel } from '../editions/editions-page.ts';
import type { PageRoute, WebContext } from '../web-options.ts';

export function postcodeRoute(options: WebContext): PageRoute {
  return editionRoute(options, '/postcode', async (edition, request) => {
    const asked = request.parameters.get('postcode')?.trim() ?? '';
    const found = answerOf(edition, asked, options);
    const page = {
      title: 'Postcode',
      asked,
      source: edition.postcodes?.about.source,
      ...found,
      edition: await editionLabel(edition, options.history, options.today()),
    };
    return options.show(request, 'postcode.njk', page, found.status);
  });
}

interface Shown {
  readonly status: number;
  /** One sentence. */
  readonly problem?: string;
}

function answerOf(
  edition: Edition,
  asked: string,
  { addresses, today }: Pick<WebContext, 'addresses' | 'today'>,
): Shown {
  try {
    const answer = findPostcode(edition, asked, today());
    if (asked === '') return { status: 200 };
    const refusal = POSTCODES.refusalOf?.(answer);
    if (refusal !== undefined) throw refusal;
    const { terminated, outcome } = answer;
    return {
      status: 200,
      ...answer,
      ...(terminated && { until: formatDate(terminated), isTerminated: outcome === 'terminated' }),
      ...{ areas: areasOf(answer, addresses), json: addresses.postcode(answer.postcode) },
    };
  } catch (error) {
    if (!(error instanceof FhirError)) throw error;
    const [{ kind, diagnostics }] = error.issues;
    return { status: ERROR_ROWS[kind].status, problem: diagnostics };
  }
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
