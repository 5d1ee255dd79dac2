/** Pieces that are made once and read by many, each at its own pace. */

/** Made as the first reader asks for them, and kept; whoever comes later gets the same bytes. */
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
