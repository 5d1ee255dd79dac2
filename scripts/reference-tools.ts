/** The list of the tools of assistants, for the page about them. */

import { loadConfig } from '../src/config/load-config.ts';
import { sectionOf } from '../src/config/section.ts';
import { assistantTools } from '../src/interfaces/assistants/tools/tools.ts';
import { serveFace } from '../src/interfaces/faces/rendered-edition.ts';
import { DIRECTORY_FACES } from '../src/interfaces/served-faces.ts';

/** The name of each tool, its inputs, and what it is for. */
export function toolRows(): readonly (readonly string[])[] {
  const settings = sectionOf(loadConfig({ flags: {}, environment: {} }), 'directory');
  const tools = assistantTools({
    editions: { current: () => undefined, byNumber: () => undefined },
    face: serveFace(DIRECTORY_FACES[0], { settings, serverUrl: 'http://localhost:8080' }),
    openHistory: () => Promise.reject(new Error('A list asks nothing.')),
    today: () => '',
  });
  return tools.map(({ name, description, inputSchema: { properties = {} } }) => {
    const inputs = Object.keys(properties as object).map((input) => `\`${input}\``);
    return [`\`${name}\``, inputs.join(', '), description.replace(/\.$/, '')];
  });
}
