/** All tools of assistants. */

import type { AssistantDirectory } from './assistant-directory.ts';
import { codeTools } from './codes.ts';
import { countTools } from './counts.ts';
import { eventTools } from './events.ts';
import { organizationTools } from './organisations.ts';
import { reportTools } from './reports.ts';
import type { Tool } from './tool.ts';

export function assistantTools(directory: AssistantDirectory): readonly Tool[] {
  return [
    ...organizationTools(directory),
    ...codeTools(directory),
    ...countTools(directory),
    ...eventTools(directory),
    ...reportTools(directory),
  ];
}
