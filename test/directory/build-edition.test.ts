/** Threads build the same arrays of an edition as one thread. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildEdition, buildEditionInThreads } from '../../src/directory/edition/build-edition.ts';
import { expectedArrayNames } from '../../src/directory/edition/edition.ts';
import { RecordsBuilder } from '../../src/directory/edition/records-builder.ts';
import { recordOf } from './index/record-of.ts';
import { CODE_SYSTEMS } from './records.ts';

for (const hasLinks of [true, false]) {
  test(`threads build all arrays, ${hasLinks ? 'with' : 'without'} links`, async () => {
    const inThreads = await buildEditionInThreads(contentsOf(hasLinks), {
      threads: 2,
      recordsMin: 1,
    });
    assert.deepEqual(inThreads, buildEdition(contentsOf(hasLinks)));
    const names = hasLinks ? expectedArrayNames() : [];
    assert.deepEqual(
      names.filter((name) => inThreads[name] === undefined),
      [],
    );
  });
}

function contentsOf(hasLinks: boolean) {
  const records = new RecordsBuilder();
  for (let number = 0; number < 500; number++) {
    const reference = number >= 450 ? { isReferenceOnly: true } : {};
    const postalCode = `LS${1 + (number % 20)} 4AP`;
    records.add({
      ...recordOf({ code: `A${1000 + number}`, name: `ÉCOLE ${number % 70}`, postalCode }),
      ...reference,
      relationships: [
        {
          type: String(number % 4),
          uniqueId: number + 1,
          isActive: number % 3 > 0,
          periods: [{ kind: 'Operational', start: `20${10 + (number % 9)}-01-01` }],
          target: { code: `A${1000 + ((number * 7) % 600)}` },
        },
      ],
    });
  }
  return {
    records,
    ordinals: {
      full: Uint32Array.from({ length: 450 }, (_, ordinal) => ordinal),
      references: Uint32Array.from({ length: 50 }, (_, place) => 450 + place),
    },
    codeSystems: CODE_SYSTEMS,
    manifests: [],
    hasLinks,
  };
}
