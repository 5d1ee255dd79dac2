/**
 * The look-up page with the downloads of its results, the page of an organisation, and suggestions for
 * the search box.
 */
import { hash } from 'node:crypto';
import { practitionersWith } from '../../directory/ask/find-practitioners.ts';
import { IMPORT_POSTCODES } from '../../directory/ask/near.ts';
import { rolesMeant } from '../../directory/ask/role-words.ts';
import type { Edition } from '../../directory/edition/edition.ts';
import { isNotModified } from '../../fhir/http/headers.ts';
import type { FhirResponse } from '../../fhir/request/request.ts';
import { answerDownload } from '../../fhir/service/answer.ts';
import { longAnswersOf } from '../../interfaces/answer/editions.ts';
import { type MakeExportFormat, piecesOf } from '../../interfaces/faces/export-matches.ts';
import { csvWithRelationships } from '../../interfaces/files/csv.ts';
import { ndjsonFormat } from '../../interfaces/files/export-formats.ts';
import { geoJsonFormat } from '../../interfaces/files/geojson.ts';
import { rowOfCode } from '../matches/interpretations.ts';
import {
  isAsking,
  type LookUpState,
  NO_STATE,
  readCuts,
  readState,
  readText,
  withoutEmpty,
  writeState,
} from '../matches/state.ts';
import { organizationFileRoutes } from '../organization/organization-files.ts';
import { missingOrganization, organizationPage } from '../organization/organization-page.ts';
import {
  answerText,
  asFile,
  CSV,
  editionRoute,
  headersFor,
  JSON_TYPE,
  PAGE_ANSWERS,
  PLAIN_TEXT,
  redirect,
} from '../parts/answers.ts';
import type { PageRoute, WebContext } from '../parts/web-options.ts';
import { belongingOf } from './belonging.ts';
import { find, rowsWithCode } from './find.ts';
import { lookUpPage } from './look-up-page.ts';
import { nearnessOf, placeProblemWords } from './nearness.ts';
import {
  nearProblems,
  parameterProblems,
  searchProblems,
  targetProblem,
} from './parameter-problems.ts';
import { suggest } from './suggestions.ts';

export function lookUpRoutes(options: WebContext): readonly PageRoute[] {
  const { addresses, show, fail } = options;
  return [
    editionRoute(options, '/', async (edition, asked) => {
      const { parameters } = asked;
      const state = readState(parameters, (role) => rolesMeant(edition, role));
      const row = goesToCode(state) ? rowOfCode(edition, state.text) : undefined;
      if (row !== undefined) {
        const target = addresses.organization(edition.index.codeOf(row));
        return redirect(target + writeState({ ...NO_STATE, text: state.text }));
      }
      const person = goesToCode(state) ? personOf(edition, state.text) : undefined;
      if (person !== undefined) return redirect(addresses.practitioner(person));
      const clean = withoutEmpty(parameters);
      if (clean !== undefined) return redirect(addresses.home + clean);
      const [nearProblem] = nearProblems(edition, parameters);
      if (state.of !== '') await longAnswersOf(options.editions).begin(asked.request);
      const page = await lookUpPage(edition, state, options, {
        cuts: readCuts(parameters),
        problems: parameterProblems(edition, parameters).filter((text) => text !== nearProblem),
        nearProblem: nearProblem && (placeProblemWords(edition, state) ?? nearProblem),
        leftSignal: asked.request.leftSignal,
      });
      const status = nearProblem === undefined ? 200 : 400;
      return show(asked, 'look-up.njk', page, { status });
    }),
    // Before the page, whose code can be any text.
    ...organizationFileRoutes(options),
    editionRoute(options, '/organizations/{code}', async (edition, asked) => {
      const { id: code, parameters } = asked;
      const row = rowOfCode(edition, code);
      if (row === undefined) return fail(await missingOrganization(edition, code, options));
      const actual = edition.index.codeOf(row);
      if (actual !== code) return redirect(addresses.organization(actual));
      return show(asked, 'organization.njk', {
        ...(await organizationPage(edition, row, options)),
        ...waysOn(readState(parameters), edition, row, options),
      });
    }),
    editionRoute(options, '/suggestions', async (edition, asked) => {
      const suggested = await suggest(edition, readText(asked.parameters.get('q')));
      return answerText(asked, JSON_TYPE, JSON.stringify(suggested));
    }),
    ...resultDownloads(options),
  ];
}

/**
 * The link back to the results, where a search led to an organisation. Where the search went
 * directly to a code, there were no results, and the link repeats the search among names.
 */
function waysOn(state: LookUpState, edition: Edition, row: number, { addresses }: WebContext) {
  if (!isAsking(state)) return {};
  const { text } = state;
  const found = goesToCode(state) ? rowOfCode(edition, text) : undefined;
  if (found === undefined) return { results: addresses.home + writeState(state) };
  // Anyone may write an address with another text, and pass it on.
  if (found !== row) return {};
  const href = addresses.home + writeState({ ...NO_STATE, text, as: 'name' });
  return { searched: { text, href } };
}

/** The code of the practitioner with this code or number, if practitioners were imported. */
function personOf({ practitioners }: Edition, text: string): string | undefined {
  return practitioners && practitionersWith(practitioners, text)[0]?.code;
}

function goesToCode({ as }: LookUpState): boolean {
  return as === undefined || as === 'code';
}

/** The download has the results of all pages. */
const DOWNLOADS: readonly (readonly [name: string, type: string, make: MakeExportFormat])[] = [
  ['results.csv', CSV, csvWithRelationships],
  ['results.geojson', 'application/geo+json', geoJsonFormat],
  ['results.ndjson', 'application/fhir+ndjson', ndjsonFormat],
];

function resultDownloads(options: WebContext): readonly PageRoute[] {
  const { editions, face, today } = options;
  return DOWNLOADS.map(([name, contentType, makeFormat]) =>
    editionRoute(options, `/${name}`, async (edition, asked) => {
      const { request, parameters } = asked;
      const problems = searchProblems(edition, parameters);
      if (makeFormat === geoJsonFormat && edition.postcodes === undefined) {
        problems.push(`GeoJSON needs postcodes. ${IMPORT_POSTCODES}`);
      }
      if (problems.length > 0) return refusal(problems);
      const state = readState(parameters, (role) => rolesMeant(edition, role));
      const rendered = face.render(edition);
      const day = today();
      const query = writeState({ ...state, page: 1, print: false });
      const etag = etagOf(rendered.fingerprint, name, day, query);
      const isKnown = isNotModified(request, etag, undefined);
      if (!isKnown) await longAnswersOf(editions).begin(request);
      const belonging = isKnown
        ? undefined
        : await belongingOf(edition, state, day, request.leftSignal);
      const found = isKnown ? undefined : find(edition, state, belonging);
      const problem = targetProblem(edition, state, belonging);
      if (problem !== undefined) return refusal([problem]);
      const make = () => {
        const count = found?.total ?? 0;
        const exported = { count, isComplete: false, near: nearnessOf(edition, state) };
        const format = makeFormat(rendered, undefined, day, exported);
        return piecesOf(format, found ? rowsWithCode(edition, state, found.groups) : []);
      };
      const key = { owner: edition, name: etag };
      const pieces = longAnswersOf(editions).pieces({ kind: 'results', key, make });
      const open = () => ({ etag, headers: asFile(name), pieces });
      return answerDownload(request, PAGE_ANSWERS, { contentType, open });
    }),
  );
}

/** Scripts read the answer, so it is plain text. */
function refusal(problems: readonly string[]): FhirResponse {
  const headers = [...headersFor(PLAIN_TEXT, 'no-store'), 'Content-Type', PLAIN_TEXT];
  return { status: 400, headers, body: `${problems.join('\n')}\n` };
}

/** The file says what organisations belong to on the day. */
function etagOf(...parts: readonly string[]): string {
  return `W/"${hash('sha256', parts.join(' ')).slice(0, 24)}"`;
}
