/** The owner of folders, servers and processes of a test: they end with it. */
import { after, type TestContext } from 'node:test';

/** The context of a test is one. */
export interface Owner {
  after(end: End): void;
}

type End = () => void | Promise<void>;

/** Only what is ended with `endWith`. */
const endsOf = new WeakMap<Owner, End[]>();

/** What was made last ends first, as a server before its folder. `after` has the opposite order. */
export function endWith(owner: Owner, end: End): void {
  const known = endsOf.get(owner);
  if (known !== undefined) {
    known.push(end);
    return;
  }
  const ends = [end];
  endsOf.set(owner, ends);
  owner.after(() => endAll(ends));
}

/** The test, whose resources all end in this order. */
export function ownerOfTest(context: TestContext): Owner {
  return { after: (end) => endWith(context, end) };
}

/** The suite whose `describe` calls this. */
export function ownerOfSuite(): Owner {
  const ends: End[] = [];
  after(() => endAll(ends));
  return { after: (end) => void ends.push(end) };
}

/** Each ends, whether or not another one fails to. */
async function endAll(ends: readonly End[]): Promise<void> {
  const errors: unknown[] = [];
  for (const end of ends.toReversed()) {
    try {
      await end();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, 'The test did not end what it made.');
}
