/** The head of the audit chain as text. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHAIN_START, headText, parseHead } from '../../src/storage/repository/audit-chain.ts';

test('a head is read as it was written', () => {
  const zeros = '0'.repeat(64);
  assert.equal(headText(CHAIN_START), `0:${zeros}`);
  for (const text of [`0:${zeros}`, `12:${'9f86d0a1'.repeat(8)}`]) {
    const head = parseHead(text);
    assert.equal(head && headText(head), text);
  }
});

test('a text that is no head is undefined', () => {
  const mac = 'a'.repeat(64);
  for (const text of ['', '12', `:${mac}`, `012:${mac}`, `12:${mac}a`, `12:${mac.slice(1)}`]) {
    assert.equal(parseHead(text), undefined, text);
  }
});
