/** The sample on a server of its own, at the address that its links have. */
import type { TestContext } from 'node:test';
import { importedSample } from '../imported-sample.ts';
import { serve } from '../journeys/program.ts';

/** The base of the directory. */
export async function serveSample(context: TestContext): Promise<string> {
  const data = await importedSample(context);
  const { port } = await serve(context, ['--data', data, '--threads', '1']);
  return `http://localhost:${port}/STU3`;
}
