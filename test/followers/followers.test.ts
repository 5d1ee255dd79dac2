/**
 * Copies of the directory stay right, whatever happens to its editions. The long form has many more
 * sequences, and PostgreSQL.
 */
import { it } from 'node:test';
import { openFolderPlace, withArraysInMemory } from './followed-places.ts';
import { checkFollowers } from './run-model.ts';

it('every follower has the content of the directory after each random step', async () => {
  await checkFollowers(withArraysInMemory(openFolderPlace), 6);
});

it('every follower has the content of a directory in files', async () => {
  await checkFollowers(openFolderPlace, 2);
});
