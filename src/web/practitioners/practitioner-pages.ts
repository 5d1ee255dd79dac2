/** The page of a practitioner, and the page of those who work for an organisation on a day. */
import {
  IMPORT_PRACTITIONERS,
  type MembershipAnswer,
  practitionerAnswer,
  practitionersWith,
} from '../../directory/ask/find-practitioners.ts';
import type { Edition } from '../../directory/edition/edition.ts';
import { dayPeriod } from '../../directory/record/day.ts';
import { FhirError } from '../../fhir/request/fhir-error.ts';
import type { FhirResponse } from '../../fhir/request/request.ts';
import { rowOfCode } from '../matches/interpretations.ts';
import { editionRoute, redirect, showFound } from '../parts/answers.ts';
import { formatDate } from '../parts/display.ts';
import { relatedOrganization } from '../parts/related-organization.ts';
import type { PageRequest, PageRoute, TitledPage, WebContext } from '../parts/web-options.ts';

export function practitionerRoutes(options: WebContext): readonly PageRoute[] {
  const { addresses } = options;
  return [
    editionRoute(options, '/practitioners/{code}', async (edition, asked) => {
      const page = pageOf(edition, `Practitioner ${asked.id}`);
      return notIndexed(
        await showFound(options, asked, 'practitioner.njk', page, () =>
          personOf(edition, asked.id, options),
        ),
      );
    }),
    editionRoute(options, '/organizations/{code}/practitioners', async (edition, asked) => {
      const row = rowOfCode(edition, asked.id);
      if (row === undefined) return redirect(addresses.organization(asked.id));
      const page = pageOf(edition, `Practitioners of ${asked.id}`);
      return notIndexed(
        await showFound(options, asked, 'practitioners.njk', page, () =>
          membersOf(edition, edition.index.codeOf(row), asked, options),
        ),
      );
    }),
  ];
}

/** Search engines must not list people. */
function notIndexed(answer: FhirResponse): FhirResponse {
  return { ...answer, headers: [...answer.headers, 'X-Robots-Tag', 'noindex'] };
}

function pageOf({ practitioners }: Edition, title: string): TitledPage {
  return { title, source: practitioners?.about.source };
}

/** Throws a FhirError if there are no practitioners, or none has the code or number. */
function personOf(edition: Edition, code: string, options: WebContext): object {
  const { practitioners } = edition;
  if (practitioners === undefined) throw FhirError.of('no-record', IMPORT_PRACTITIONERS);
  const found = practitionersWith(practitioners, code);
  if (found.length === 0) {
    const diagnostics = `No practitioner has the code or number "${code}". Check the code.`;
    throw FhirError.of('no-record', diagnostics);
  }
  return {
    codes: found.map((each) => {
      const answer = practitionerAnswer(edition, each, options.today());
      const memberships = answer.memberships.map((one) => membershipOf(edition, one, options));
      return { ...answer, memberships };
    }),
  };
}

function membershipOf(edition: Edition, membership: MembershipAnswer, options: WebContext) {
  const { organisation, from, to, meaning, current } = membership;
  return {
    ...relatedOrganization(edition, organisation.code, options.addresses),
    meaning,
    current,
    from: from && formatDate(from),
    to: to && formatDate(to),
  };
}

/** About 10 ms. A large trust has about 2,000 consultants. */
const MEMBERS_AT_ONCE = 500;

function membersOf(
  edition: Edition,
  code: string,
  { parameters }: PageRequest,
  options: WebContext,
): object {
  const { practitioners } = edition;
  if (practitioners === undefined) throw FhirError.of('no-record', IMPORT_PRACTITIONERS);
  const day = parameters.get('on') || options.today();
  if (dayPeriod(day) === undefined) {
    throw FhirError.of('invalid-parameter', `on must be a date YYYY-MM-DD. Got "${day}".`);
  }
  const found = practitioners.ofOrganisation(code, day);
  const after = parameters.get('after') ?? '';
  const rest = found.filter((each) => each.code > after);
  const shown = rest.slice(0, MEMBERS_AT_ONCE);
  const query = new URLSearchParams({ on: day, after: shown.at(-1)?.code ?? '' });
  return {
    organisation: relatedOrganization(edition, code, options.addresses),
    day,
    date: formatDate(day),
    count: found.length,
    ...(rest.length > shown.length && {
      next: `${options.addresses.practitionersOf(code)}?${query}`,
    }),
    members: shown.map((each) => {
      const answer = practitionerAnswer(edition, each, day);
      const own = answer.memberships.find(
        ({ organisation, current }) => current && organisation.code === code,
      );
      return {
        ...answer,
        href: options.addresses.practitioner(each.code),
        from: own?.from && formatDate(own.from),
      };
    }),
  };
}
