/** The tools that find and read organisations. */

import { findNear } from '../../../directory/ask/find-near.ts';
import type { Edition } from '../../../directory/edition/edition.ts';
import { currentOf } from '../../answer/editions.ts';
import { arrayOf } from '../../json/json-schema.ts';
import type { AssistantDirectory } from './assistant-directory.ts';
import { DAY_INPUT } from './days.ts';
import { DETAILS_SCHEMA, detailsOf } from './details.ts';
import { numberInput, optionalInput, positiveInput, textInput } from './inputs.ts';
import { memberCriterion } from './members.ts';
import { PAGE_INPUTS, pageOf } from './pages.ts';
import { ROLE_INPUT, roleCodesNamed } from './roles.ts';
import { ROW_PROPERTIES, rowAt } from './rows.ts';
import { COUNT, resultOf } from './schemas.ts';
import {
  CODE_INPUT,
  FOUND_SCHEMA,
  FULL_INPUT,
  knownRow,
  pageFound,
  SEARCH_INPUTS,
  searchCriteria,
} from './search.ts';
import { createTool, type Tool } from './tool.ts';

export function organizationTools(directory: AssistantDirectory): readonly Tool[] {
  return [searchTool(directory), membersTool(directory), readTool(directory), nearTool(directory)];
}

function searchTool(directory: AssistantDirectory): Tool {
  const { editions } = directory;
  return createTool({
    name: 'search_organisations',
    title: 'Search organisations',
    description:
      'Finds organisations by a part of the name, role, town, postcode and status: compact rows, ' +
      'and the total. The exact name and names that begin with the text come first, then ' +
      'organisations before their sites and active ones before inactive ones. Organisations must ' +
      'match every input. For a name that may be misspelt, use match_names.',
    inputs: {
      ...SEARCH_INPUTS,
      full: FULL_INPUT,
      ...PAGE_INPUTS,
    },
    output: FOUND_SCHEMA,
    answer: ({ full, limit, after, ...wanted }) => {
      const page = pageOf(editions, { limit, after });
      const criteria = searchCriteria(directory, page.edition, wanted);
      return pageFound(directory, page, criteria, full, wanted.name);
    },
  });
}

function membersTool(directory: AssistantDirectory): Tool {
  const { editions } = directory;
  return createTool({
    name: 'members',
    title: 'Members of an organisation',
    description:
      'Lists the organisations that belong to another one on a day, directly or through others, ' +
      'such as the practices of an integrated care board: compact rows, and the total. Closed ' +
      'ones count too, unless status is active.',
    inputs: { of: CODE_INPUT, on: DAY_INPUT, ...SEARCH_INPUTS, full: FULL_INPUT, ...PAGE_INPUTS },
    output: FOUND_SCHEMA,
    answer: async ({ of, on, full, limit, after, ...wanted }, call) => {
      const page = pageOf(editions, { limit, after });
      const members = await memberCriterion(directory, page.edition, of, on, call.signal);
      const criteria = [members, ...searchCriteria(directory, page.edition, wanted)];
      return pageFound(directory, page, criteria, full, wanted.name);
    },
  });
}

function readTool(directory: AssistantDirectory): Tool {
  const { editions } = directory;
  return createTool({
    name: 'get_organisation',
    title: 'Read an organisation',
    description:
      'Reads the organisation with a code: its address, contacts, roles and dates; with full as ' +
      'a FHIR resource. It has no relationships: see hierarchy and members.',
    inputs: { code: CODE_INPUT, full: FULL_INPUT },
    output: DETAILS_SCHEMA,
    answer: ({ code, full }) => {
      const edition = currentOf(editions);
      const row = knownRow(edition, code);
      if (full !== true) return detailsOf(edition, row);
      return { resource: directory.face.render(edition).organizationAt(row) };
    },
  });
}

function nearTool(directory: AssistantDirectory): Tool {
  const { editions } = directory;
  return createTool({
    name: 'near',
    title: 'Organisations near a place',
    description:
      'Lists the active organisations nearest to a postcode or a position, with their distances ' +
      'in kilometres.',
    inputs: {
      place: textInput('A whole postcode such as LS1 4AP, or a latitude, a comma and a longitude.'),
      role: optionalInput(ROLE_INPUT),
      within: optionalInput(positiveInput('The greatest distance in kilometres.', KILOMETRES_MAX)),
      limit: optionalInput(numberInput('The most organisations, 20 by default.', 1, NEAR_MAX)),
    },
    output: NEAREST_SCHEMA,
    answer: ({ place, ...options }) => nearestTo(currentOf(editions), place, options),
  });
}

const KILOMETRES_MAX = 1000;
const NEAR_MAX = 100;

export const NEAREST_SCHEMA = resultOf(
  {
    total: COUNT,
    organisations: arrayOf(
      resultOf({ ...ROW_PROPERTIES, kilometres: { type: 'number', minimum: 0 } }, [
        'code',
        'status',
        'kilometres',
      ]),
    ),
  },
  ['total', 'organisations'],
);

/** Throws a RangeError or a FhirError. */
export function nearestTo(
  edition: Edition,
  place: string,
  options: NonNullable<Parameters<typeof findNear>[2]>,
): object {
  if (options.role !== undefined) roleCodesNamed(edition, options.role);
  const { total, organizations } = findNear(edition, place, options);
  return {
    total,
    organisations: organizations.map(({ code, kilometres }) => ({
      ...rowAt(edition, edition.index.rowOf(code)!),
      kilometres,
    })),
  };
}
