/** The tool that lists what happened to organisations. */

import { currentOf } from '../../answer/editions.ts';
import { eventPage } from '../../events/event-page.ts';
import { EVENT_PAGE_PARAMETERS } from '../../events/parameters.ts';
import { EVENT_PAGE_SCHEMA } from '../../events/service.ts';
import type { JsonSchema } from '../../json/json-schema.ts';
import { readTexts } from '../../json/read-parameters.ts';
import type { AssistantDirectory } from './assistant-directory.ts';
import { optionalInput, type ToolInput, textInput } from './inputs.ts';
import { ITEMS_DEFAULT, PAGE_INPUTS } from './pages.ts';
import { roleCodesNamed } from './roles.ts';
import { createTool, type Tool } from './tool.ts';

export function eventTools(directory: AssistantDirectory): readonly Tool[] {
  return [
    createTool({
      name: 'events',
      title: 'What happened',
      description:
        'Lists what happened to organisations between two days (since), by day: which opened, ' +
        'closed, were renamed, moved, joined or left another one, or were replaced. Or what became ' +
        'known since a day or an edition (knownSince or sinceEdition), by code.',
      inputs: { ...parameterInputs(), limit: PAGE_INPUTS.limit },
      output: EVENT_PAGE_SCHEMA,
      answer: ({ limit = ITEMS_DEFAULT, ...texts }, call) => {
        if (texts.role !== undefined) roleCodesNamed(currentOf(directory.editions), texts.role);
        return eventPage(directory, readTexts(texts, EVENT_PAGE_PARAMETERS), limit, call);
      },
    }),
  ];
}

/** The parameters of `GET /events` as inputs. */
function parameterInputs(): ParameterInputs {
  const inputs = Object.entries(EVENT_PAGE_PARAMETERS).map(([name, parameter]) => {
    const { documentation, kind } = parameter;
    const isNumber = kind.schema.type === 'integer';
    const input = isNumber ? asText(documentation, kind.schema) : textInput(documentation);
    return [name, 'isRequired' in parameter ? input : optionalInput(input)];
  });
  return Object.fromEntries(inputs) as ParameterInputs;
}

/** A number, which the parameter reads as a text. Its digits in a text do as well. */
function asText(description: string, schema: JsonSchema): ToolInput<string> {
  const text = textInput(description);
  return {
    ...text,
    schema: { ...schema, description },
    read: (value) => text.read(typeof value === 'number' ? String(value) : value),
  };
}

type ParameterInputs = {
  readonly [Name in keyof typeof EVENT_PAGE_PARAMETERS]: ToolInput<string | undefined>;
};
