/** The tools that assistants get: each is a call of the library, with the descriptions of its tables. */
import { type ZodType, z } from 'zod';
import { EVENT_PARAMETERS } from '../../interfaces/events/parameters.ts';
import { MATCH } from '../../interfaces/questions/match-question.ts';
import type { Question, QuestionRow } from '../../interfaces/questions/question.ts';
import { HIERARCHY, RESOLVE } from '../../interfaces/questions/questions.ts';
import { DIRECTORY_FACES } from '../../interfaces/served-faces.ts';
import { type Directory, DirectoryError, type WantedEvents } from '../../library/directory.ts';

/** A tool of an assistant. Its answer is JSON. It rejects with an error that says what to do. */
export interface DirectoryTool {
  readonly name: string;
  readonly description: string;
  readonly input: Readonly<Record<string, ZodType>>;
  answer(values: Readonly<Record<string, unknown>>): Promise<unknown>;
}

/** Longer than every name. */
const TEXT_LENGTH_MAX = 200;
const LISTED_MAX = 50;
const EVENTS_MAX = 100;
const PAGE_MAX = 1_000_000;

const text = (description: string) => z.string().max(TEXT_LENGTH_MAX).describe(description);
const texts = (description: string) =>
  z.array(z.string().max(TEXT_LENGTH_MAX)).min(1).max(LISTED_MAX).describe(description);
const number = (description: string, max: number) =>
  z.number().int().min(1).max(max).describe(description);

const DAY = text('The day, such as 2026-04-01. Without it: today.').optional();

/** The parameters of a search of organisations, by the names that assistants may use. */
const SEARCH_NAMES = {
  name: 'name:contains',
  role: 'ods-org-role',
  town: 'address-city',
  postcode: 'address-postalcode',
  active: 'active',
  near: 'near',
  page: '_page',
} as const;

const SEARCH_INPUT = {
  ...mapValues(SEARCH_NAMES, (parameter) => text(documentationOf(parameter)).optional()),
  page: number(documentationOf(SEARCH_NAMES.page), PAGE_MAX).optional(),
};

/** `:contains` finds the text anywhere. */
function documentationOf(parameter: string): string {
  const [name] = parameter.split(':');
  const [{ searchParameters }] = DIRECTORY_FACES;
  const { documentation = '' } = searchParameters.find((each) => each.name === name) ?? {};
  return parameter === name ? documentation : documentation.replace('begins with', 'contains');
}

export function directoryTools(directory: Directory): readonly DirectoryTool[] {
  return [
    {
      name: 'search_organisations',
      description: 'Searches organisations: a page of 20, as FHIR resources, and the total.',
      input: SEARCH_INPUT,
      answer: (values) => {
        const query = new URLSearchParams();
        for (const [name, parameter] of Object.entries(SEARCH_NAMES)) {
          if (values[name] !== undefined) query.append(parameter, String(values[name]));
        }
        return directory.search(query.toString());
      },
    },
    {
      name: 'get_organisation',
      description: 'Reads the organisation with a code, as a FHIR resource.',
      input: { code: text(RESOLVE.inputs[0].documentation) },
      answer: async ({ code }) => {
        const found = await directory.read(String(code));
        if (found !== undefined) return found;
        throw new RangeError('There is no organisation with this code. Search for its name.');
      },
    },
    questionTool('resolve_codes', RESOLVE, ({ code = '' }, on) => directory.resolve(code, on)),
    questionTool('match_names', MATCH, ({ name = '', ...hints }, on) =>
      directory.match({ name, ...hints }, on),
    ),
    questionTool('hierarchy', HIERARCHY, ({ code = '' }, on) => directory.hierarchy(code, on)),
    {
      name: 'near',
      description:
        'Lists the active organisations nearest to a place, with their distances in kilometres.',
      input: {
        place: text('A postcode such as LS1 4AP, or a latitude, a comma and a longitude.'),
        role: text('The code or the name of a role, such as RO182 or pharmacy.').optional(),
        within: z.number().positive().describe('The greatest distance in kilometres.').optional(),
        limit: number('The most organisations in the answer.', LISTED_MAX).optional(),
      },
      answer: ({ place, ...options }) => directory.near(String(place), options),
    },
    {
      name: 'events',
      description:
        'Lists what happened to organisations between two days (since), or what became known since ' +
        `a day or an edition (knownSince or sinceEdition): the first ${EVENTS_MAX} events.`,
      input: mapValues(EVENT_PARAMETERS, (description) => text(`${description}.`).optional()),
      answer: async (given) => {
        const wanted: WantedEvents = mapValues(given, String);
        const events = await Array.fromAsync(take(directory.events(wanted), EVENTS_MAX + 1));
        return { events: events.slice(0, EVENTS_MAX), hasMore: events.length > EVENTS_MAX };
      },
    },
  ];
}

/** The JSON Schema of the values of a tool, as the protocol describes tools. */
export type ToolSchema = z.core.JSONSchema.JSONSchema & { readonly type: 'object' };

export function schemaOf({ input }: DirectoryTool): ToolSchema {
  return { ...z.toJSONSchema(z.strictObject(input)), type: 'object' };
}

/** The answer of a tool as JSON, or what is wrong with the call. `onFault` gets any other error. */
export async function answerTool(
  tools: readonly DirectoryTool[],
  name: string,
  values: unknown,
  onFault: (fault: unknown) => void,
): Promise<{ readonly text: string; readonly isError: boolean }> {
  const refuse = (text: string) => ({ text, isError: true });
  const tool = tools.find((each) => each.name === name);
  if (tool === undefined) {
    return refuse(`There is no tool ${name}. Use ${tools.map((each) => each.name).join(', ')}.`);
  }
  const parsed = z.strictObject(tool.input).safeParse(values ?? {});
  if (!parsed.success) return refuse(parsed.error.issues.map(problemText).join(' '));
  try {
    return { text: JSON.stringify(await tool.answer(parsed.data)), isError: false };
  } catch (error) {
    if (error instanceof DirectoryError || error instanceof RangeError) {
      return refuse(error.message);
    }
    onFault(error);
    return refuse('The tool failed. The standard error of the program says why.');
  }
}

/** One sentence. */
function problemText({ path, message }: z.core.$ZodIssue): string {
  const name = path.join('.');
  return `${name === '' ? 'The call' : name} is not valid: ${message.replace(/^Invalid input: /, '')}.`;
}

/** Its first input takes several values. The others hold for all of them. */
function questionTool(
  name: string,
  { summary, inputs: [first, ...others] }: Question,
  ask: (row: QuestionRow, on?: string) => Promise<object>,
): DirectoryTool {
  const plural = `${first.name}s`;
  const hints = others.map((input) => [input.name, text(input.documentation).optional()]);
  return {
    name,
    description: summary,
    input: { [plural]: texts(first.documentation), ...Object.fromEntries(hints), on: DAY },
    answer: async ({ on, ...given }) => {
      const forAll = Object.entries(given).filter(([input]) => input !== plural);
      const row = mapValues(Object.fromEntries(forAll), String);
      const day = on === undefined ? undefined : String(on);
      const answers: object[] = [];
      for (const value of given[plural] as readonly string[]) {
        answers.push(await ask({ ...row, [first.name]: value }, day));
      }
      return { answers };
    },
  };
}

function mapValues<Value, Mapped>(
  values: Readonly<Record<string, Value>>,
  map: (value: Value) => Mapped,
): Record<string, Mapped> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]));
}

async function* take<Item>(items: AsyncIterable<Item>, most: number): AsyncGenerator<Item> {
  let count = 0;
  for await (const item of items) {
    if (count === most) return;
    count += 1;
    yield item;
  }
}
