/** The tool that lists what happened to organisations. */

import { changes } from '../../../directory/ask/events/changes.ts';
import { numberedOf } from '../../answer/editions.ts';
import {
  EVENT_PARAMETERS,
  type EventParameter,
  POSITION_KIND,
  positionText,
  readEventFilter,
} from '../../events/parameters.ts';
import { askedOf, EVENT_PAGE_SCHEMA } from '../../events/service.ts';
import type { AssistantDirectory } from './assistant-directory.ts';
import { optionalInput, type ToolInput, textInput } from './inputs.ts';
import { PAGE_INPUTS } from './pages.ts';
import { createTool, type Tool } from './tool.ts';

const LIMIT_DEFAULT = 20;

function inputOf(name: EventParameter): ToolInput<string | undefined> {
  return optionalInput(textInput(EVENT_PARAMETERS[name].documentation));
}

export function eventTools({ editions, openHistory }: AssistantDirectory): readonly Tool[] {
  return [
    createTool({
      name: 'events',
      title: 'What happened',
      description:
        'Lists what happened to organisations between two days (since), by day: which opened, ' +
        'closed, were renamed, moved, joined or left another one, or were replaced. Or what became ' +
        'known since a day or an edition (knownSince or sinceEdition), by code.',
      inputs: {
        since: inputOf('since'),
        until: inputOf('until'),
        knownSince: inputOf('knownSince'),
        sinceEdition: inputOf('sinceEdition'),
        of: inputOf('of'),
        role: inputOf('role'),
        kind: inputOf('kind'),
        ...PAGE_INPUTS,
      },
      output: EVENT_PAGE_SCHEMA,
      answer: async ({ after: position, limit = LIMIT_DEFAULT, ...values }) => {
        const after = position === undefined ? undefined : POSITION_KIND.parse(position);
        const edition = numberedOf(editions, after?.edition, 'after');
        const filter = readEventFilter(edition, values);
        const history = await openHistory();
        const page = await changes(edition, filter, history, { after, limit });
        return {
          ...(await askedOf(edition, filter, history)),
          events: page.events,
          ...(page.next !== undefined && { next: positionText(edition, page.next) }),
        };
      },
    }),
  ];
}
