/** Files that are read in pieces: into the same memory again, once a piece has been released. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { openMadeFile } from '../../src/interfaces/files/made-file.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** Several pieces, and a short one at the end. No two parts of it are the same. */
const CONTENT = Buffer.from(
  Array.from({ length: 100_000 }, (_, at) => `${at}`.padStart(20, '.')).join(''),
);

const WITHOUT_PROC = { skip: existsSync('/proc/self/fd') ? false : 'there is no /proc' };

describe('a file in pieces', () => {
  it('has all of its bytes, whether pieces are released or not', async (context) => {
    for (const releases of [false, true]) {
      const { file } = madeFile(context);
      const copies: Buffer[] = [];
      const memories = new Set<ArrayBufferLike>();
      for await (const piece of file.pieces()) {
        copies.push(Buffer.from(piece));
        memories.add(piece.buffer);
        if (releases) file.release(piece);
      }
      assert.ok(Buffer.concat(copies).equals(CONTENT));
      assert.equal(memories.size, releases ? 1 : copies.length);
    }
  });

  it('takes no memory that is not its own', async (context) => {
    const { file } = madeFile(context);
    const other = new Uint8Array(1024 ** 2);
    file.release(other);
    const pieces = await Array.fromAsync(file.pieces());
    assert.ok(Buffer.concat(pieces).equals(CONTENT));
    assert.ok(other.every((byte) => byte === 0));
  });

  it(
    'is closed at its end, when its reader stops, and when it is not read at all',
    WITHOUT_PROC,
    async (context) => {
      const { file: whole, isOpen: isWholeOpen } = madeFile(context);
      await Array.fromAsync(whole.pieces());
      const { file: left, isOpen: isLeftOpen } = madeFile(context);
      for await (const _piece of left.pieces()) break;
      const { file: unread, isOpen: isUnreadOpen } = madeFile(context);
      assert.deepEqual([isWholeOpen(), isLeftOpen(), isUnreadOpen()], [false, false, true]);
      unread.close();
      unread.close();
      assert.equal(isUnreadOpen(), false);
      assert.deepEqual(await Array.fromAsync(unread.pieces()), []);
    },
  );

  it('is closed after the piece that is being read', WITHOUT_PROC, async (context) => {
    const { file, isOpen } = madeFile(context);
    const pieces = file.pieces();
    const reading = pieces.next();
    file.close();
    assert.equal(isOpen(), true);
    await reading;
    assert.equal(isOpen(), false);
    assert.equal((await pieces.next()).done, true);
  });

  it('that is missing is undefined', (context) => {
    assert.equal(openMadeFile(join(temporaryFolder(context), 'none')), undefined);
  });
});

function madeFile(context: TestContext) {
  const path = join(temporaryFolder(context), 'file');
  writeFileSync(path, CONTENT);
  const file = openMadeFile(path);
  assert.ok(file !== undefined);
  context.after(() => file.close());
  const isOpen = () => readdirSync('/proc/self/fd').some((number) => linkOf(number) === path);
  return { file, isOpen };
}

/** Undefined if the descriptor was closed meanwhile. */
function linkOf(number: string): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${number}`);
  } catch {
    return undefined;
  }
}
