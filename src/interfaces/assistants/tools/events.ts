/** The tool that lists what happened to organisations. */

import { findEvents } from '../../../directory/ask/events/find-events.ts';
import { withKnownSince } from '../../../directory/ask/events/timeline.ts';
import { numberedOf } from '../../answer/editions.ts';
import {
  EVENT_PARAMETERS,
  POSITION_KIND,
  positionText,
  readEventFilter,
} from '../../events/parameters.ts';
import { EVENT_PAGE_SCHEMA } from '../../events/service.ts';
import type { AssistantDirectory } from './assistant-directory.ts';
import { optionalInput, textInput } from './inputs.ts';
import { PAGE_INPUTS } from './pages.ts';
import { createTool, type Tool } from './tool.ts';

const LIMIT_DEFAULT = 20;

export function eventTools({ editions, openHistory }: AssistantDirectory): readonly Tool[] {
  const { since, ...others } = EVENT_PARAMETERS;
  return [
    createTool({
      name: 'events',
      title: 'What happened',
      description:
        'Lists what happened to organisations between two days, by day: which opened, closed, were ' +
        'renamed, moved, joined or left another one, or were replaced.',
      inputs: {
        since: textInput(since.documentation),
        until: optionalInput(textInput(others.until.documentation)),
        of: optionalInput(textInput(others.of.documentation)),
        role: optionalInput(textInput(others.role.documentation)),
        kind: optionalInput(textInput(others.kind.documentation)),
        ...PAGE_INPUTS,
      },
      output: EVENT_PAGE_SCHEMA,
      answer: async ({ after: position, limit = LIMIT_DEFAULT, ...values }) => {
        const after = position === undefined ? undefined : POSITION_KIND.parse(position);
        const edition = numberedOf(editions, after?.edition, 'after');
        const filter = readEventFilter(edition, values);
        const history = await openHistory();
        const page = await findEvents(edition, filter, history, { after, limit });
        return {
          since: filter.since,
          ...(filter.until !== undefined && { until: filter.until }),
          events: await withKnownSince(edition, page.events, history),
          ...(page.next !== undefined && { next: positionText(edition, page.next) }),
        };
      },
    }),
  ];
}
