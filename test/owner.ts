/** The owner of folders, servers and processes of a test: they end with it. */
import { after, type TestContext } from 'node:test';

/** The context of a test is one. */
export interface Owner {
  after(end: () => void | Promise<void>): void;
}

/** The test: what was made last ends first. The `after` of the context has the opposite order. */
export function ownerOfTest(context: TestContext): Owner {
  const ends: (() => void | Promise<void>)[] = [];
  context.after(() => endAll(ends));
  return { after: (end) => void ends.push(end) };
}

/** The suite whose `describe` calls this. */
export function ownerOfSuite(): Owner {
  const ends: (() => void | Promise<void>)[] = [];
  after(() => endAll(ends));
  return { after: (end) => void ends.push(end) };
}

async function endAll(ends: readonly (() => void | Promise<void>)[]): Promise<void> {
  for (const end of ends.toReversed()) await end();
}
