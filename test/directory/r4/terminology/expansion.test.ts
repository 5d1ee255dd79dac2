/** The identity of an expansion. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Edition } from '../../../../src/directory/edition/edition.ts';
import type { OperationInput } from '../../../../src/fhir/interactions/operation-input.ts';
import { expansionElement } from '../../../../src/interfaces/r4/terminology/expansion.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { editionOf } from '../../directory-server.ts';
import {
  openBytes,
  practitionerBytes,
  SMALL_FILES,
  writeFiles,
} from '../../practitioners/practitioner-files.ts';

const INPUT: OperationInput = {
  texts: () => [],
  text: () => undefined,
  others: [],
  object: () => undefined,
};

function identifierIn(edition: Edition): unknown {
  const expansion = { system: 'urn:x', total: 0, codes: [] };
  return JSON.parse(JSON.stringify(expansionElement(expansion, INPUT, edition))).identifier;
}

it('the same expansion of an edition has the same identifier until other practitioners are imported', async (context) => {
  const edition = editionOf([]);
  const files = { egpcur: SMALL_FILES.egpcur ?? [] };
  const first = openBytes(await practitionerBytes(writeFiles(temporaryFolder(context), files)));
  const second = openBytes(await practitionerBytes(writeFiles(temporaryFolder(context))));
  const found = [
    edition,
    { ...edition, practitioners: first },
    { ...edition, practitioners: second },
  ];
  assert.equal(new Set(found.map(identifierIn)).size, 3);
  assert.equal(identifierIn({ ...edition, practitioners: first }), identifierIn(found[1]!));
});
