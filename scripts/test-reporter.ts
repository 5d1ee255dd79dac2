/** Reports the tests of one file: the result of each to `scripts/test.ts`, and failures as text. */
import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';

/** What `scripts/test.ts` counts. */
export type TestOutcome = 'passed' | 'failed' | 'skipped';

/** Writes each failure at once, because the file may hang later. */
// biome-ignore lint/style/noDefaultExport: Node takes a reporter from the default export of a file
export default async function* reportTests(
  source: AsyncIterable<TestEvent>,
): AsyncGenerator<string> {
  for await (const event of source) {
    const outcome = outcomeOf(event);
    if (outcome !== undefined) process.send?.(outcome);
    yield failureText(event);
  }
}

function outcomeOf({ type, data }: TestEvent): TestOutcome | undefined {
  if (type !== 'test:pass' && type !== 'test:fail') return undefined;
  if (data.details.type === 'suite' || data.todo !== undefined) return undefined;
  if (data.skip !== undefined) return 'skipped';
  return type === 'test:pass' ? 'passed' : 'failed';
}

/** A test that failed only because of a subtest adds no information. */
function failureText({ type, data }: TestEvent): string {
  if (type !== 'test:fail' || data.todo !== undefined) return '';
  const { error } = data.details;
  if ('failureType' in error && error.failureType === 'subtestsFailed') return '';
  const place = data.file === undefined ? '' : ` (${data.file}:${data.line})`;
  return `✖ ${data.name}${place}\n${inspect(error.cause ?? error)}\n`;
}
