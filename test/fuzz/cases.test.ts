/** Repeats the inputs with which the fuzzer found faults. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { keptCases } from './cases.ts';
import { KIND_NAMES, openKind } from './kinds.ts';

for (const name of KIND_NAMES) {
  const cases = keptCases(name);
  if (cases.length === 0) continue;
  const kind = await openKind(name);
  describe(`inputs of the kind ${name} that the fuzzer found`, () => {
    after(() => kind.close?.());
    for (const { file, input } of cases) {
      it(`${file} is answered as it should be`, async () => {
        assert.equal(await kind.attempt(input), undefined);
      });
    }
  });
}
