/** The owner of folders, servers and processes of a test: they end with it. */
import { after } from 'node:test';

/** The context of a test is one. */
export interface Owner {
  after(end: () => void | Promise<void>): void;
}

/** The suite whose `describe` calls this. */
export function ownerOfSuite(): Owner {
  const ends: (() => void | Promise<void>)[] = [];
  after(async () => {
    for (const end of ends.toReversed()) await end();
  });
  return { after: (end) => void ends.push(end) };
}
