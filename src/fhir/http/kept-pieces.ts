/** Pieces of a body that are produced once and sent to many clients, each at its own speed. */

/** Produces the pieces when the first reader needs them, and keeps them for later readers. */
export function keepPieces(
  make: () => AsyncIterator<Uint8Array>,
): () => AsyncGenerator<Uint8Array, void, undefined> {
  const made: Promise<IteratorResult<Uint8Array>>[] = [];
  let source: AsyncIterator<Uint8Array> | undefined;
  return async function* () {
    source ??= make();
    for (let i = 0; ; i++) {
      made[i] ??= source.next();
      const { done, value } = await made[i]!;
      if (done) return;
      yield value;
    }
  };
}
