/** A table that the threads cannot take is logged, and the server goes on. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EditionWatch } from '../../src/cli/serve/editions/edition-watch.ts';
import { watchTables } from '../../src/cli/serve/editions/watch-tables.ts';
import type { Log } from '../../src/server/monitoring/log.ts';
import type { ServerStore } from '../../src/storage/store/store.ts';

it('tables that cannot be read or taken are logged under their codes', async () => {
  const logged: string[] = [];
  const ended: string[] = [];
  const table = (name: string, isRead: boolean) => ({
    watch: async (onNew: (stored: object) => void, onProblem: (error: Error) => void) => {
      if (isRead) onNew({ about: { [name]: 7 }, arrays: {} });
      else onProblem(new Error('damaged'));
      return async () => {
        ended.push(name);
      };
    },
  });
  const log: Partial<Log> = {
    report: (code) => logged.push(code),
    info: (_, message) => logged.push(message),
  };
  const follow = (postcodes: object, practitioners: object, fault?: Error) => {
    const take = async () => {
      if (fault !== undefined) throw fault;
    };
    return watchTables(
      { postcodes, practitioners } as ServerStore,
      { takePostcodes: take, takePractitioners: take } as unknown as EditionWatch,
      log as Log,
    );
  };
  await follow(table('postcodes', true), table('practitioners', true));
  await nextTurn();
  assert.deepEqual(logged.splice(0), ['serving postcodes', 'serving practitioners']);
  await follow(table('postcodes', true), table('practitioners', true), new Error('full'));
  await nextTurn();
  assert.deepEqual(logged.splice(0), ['GZ208', 'GZ209']);
  const end = await follow(table('postcodes', false), table('practitioners', false));
  assert.deepEqual(logged, ['GZ208', 'GZ209']);
  await end();
  assert.deepEqual(ended, ['postcodes', 'practitioners']);
});
