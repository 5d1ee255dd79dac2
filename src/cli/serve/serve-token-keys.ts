/** The keys of own tokens that the servers of a database share. */
import type { OwnPublicKey } from '../../auth/own-key.ts';
import type { Threads } from '../../server/threads.ts';
import type { ServerStore } from '../../storage/store.ts';
import type { Closing } from '../closing.ts';
import type { ThreadUpdate } from './serve-thread-data.ts';

/** `ownKey`: the key of this machine; undefined if the server does not accept such tokens. */
export function serveTokenKeys(
  { tokenKeys }: Pick<ServerStore, 'tokenKeys'>,
  ownKey: OwnPublicKey | undefined,
  threads: Pick<Threads<ThreadUpdate>, 'update'>,
  closing: Closing,
): void {
  if (ownKey === undefined || tokenKeys === undefined) return;
  closing.add(tokenKeys.watch(ownKey, (keys) => threads.update({ kind: 'token-keys', keys })));
}
