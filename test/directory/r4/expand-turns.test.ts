/** `$expand` of many organisations lets other requests have their turns. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FhirObject } from '../../../src/fhir/format/resource.ts';
import type { OperationInput } from '../../../src/fhir/interactions/operation-input.ts';
import { r4CodeSystems } from '../../../src/interfaces/r4/terminology/code-systems.ts';
import { expandOperation } from '../../../src/interfaces/r4/terminology/expand.ts';
import { createPauses } from '../../../src/threads/pauses.ts';
import { editionOf, SETTINGS } from '../directory-server.ts';
import { organization } from '../records.ts';

const COUNT = 400;
const EDITION = editionOf(Array.from({ length: COUNT }, (_, i) => organization(`A${1000 + i}`)));

const VALUE_SET: FhirObject = {
  resourceType: 'ValueSet',
  compose: {
    include: [
      {
        system: SETTINGS.organizationCodeSystem,
        filter: [{ property: 'lastChangeDate', op: '=', value: 'ge1900' }],
      },
    ],
  },
};

const INPUT: OperationInput = {
  texts: (name) => (name === 'property' ? ['name', 'role'] : []),
  text: () => undefined,
  others: [],
  object: (name) => (name === 'valueSet' ? VALUE_SET : undefined),
};

it('other requests are answered while the codes are expanded', async (context) => {
  // Each code takes a millisecond.
  let now = 0;
  context.mock.method(performance, 'now', () => now++);
  const expansion = Promise.resolve(
    expandOperation(r4CodeSystems(SETTINGS), SETTINGS).runLong(INPUT, EDITION, '', createPauses()),
  );
  let isDone = false;
  expansion.finally(() => {
    isDone = true;
  });
  let turns = 0;
  while (!isDone) {
    await nextTurn();
    turns += 1;
  }
  assert.ok(turns > COUNT / 20, `${turns} turns in ${COUNT} ms`);
  assert.match(JSON.stringify(await expansion), new RegExp(`"total":${COUNT},`));
});
