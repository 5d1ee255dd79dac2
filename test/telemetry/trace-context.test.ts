/** The headers of a trace: those that the specification calls valid, and those that are ignored. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseTraceContext, traceHeaders } from '../../src/telemetry/trace-context.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const PARENT = `00-${TRACE}-${SPAN}-01`;

describe('traceparent', () => {
  const valid: readonly (readonly [string, string, string])[] = [
    ['of a recorded trace', PARENT, PARENT],
    ['of a trace that is not recorded', `00-${TRACE}-${SPAN}-00`, `00-${TRACE}-${SPAN}-00`],
    ['with flags of a later version', `00-${TRACE}-${SPAN}-ff`, `00-${TRACE}-${SPAN}-03`],
    ['of a later version', `cc-${TRACE}-${SPAN}-01`, PARENT],
    ['of a later version with more fields', `cc-${TRACE}-${SPAN}-01-what-ever`, PARENT],
  ];
  for (const [name, sent, passedOn] of valid) {
    it(`${name} is passed on in version 00`, () => {
      const context = parseTraceContext(sent, undefined);
      assert.ok(context !== undefined);
      assert.deepEqual(traceHeaders(context), { traceparent: passedOn });
    });
  }

  const ignored: readonly (readonly [string, string | string[]])[] = [
    ['an empty header', ''],
    ['the version ff', `ff-${TRACE}-${SPAN}-01`],
    ['more fields than version 00 has', `${PARENT}-01`],
    ['a dash at the end', `${PARENT}-`],
    ['a later version without a dash before more', `cc-${TRACE}-${SPAN}-01.what`],
    ['capital letters', PARENT.toUpperCase()],
    ['a trace of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['a span of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['a short trace', `00-${TRACE.slice(1)}-${SPAN}-01`],
    ['a long span', `00-${TRACE}-${SPAN}0-01`],
    ['short flags', `00-${TRACE}-${SPAN}-1`],
    ['two headers in one', `${PARENT}, ${PARENT}`],
    ['several headers', [PARENT, PARENT]],
  ];
  for (const [name, sent] of ignored) {
    it(`with ${name} is ignored`, () => assert.equal(parseTraceContext(sent, 'a=1'), undefined));
  }
});

describe('tracestate', () => {
  const many = (count: number) => Array.from({ length: count }, (_, i) => `k${i}=v`).join(',');
  const cases: readonly (readonly [string, string | string[] | undefined, string | undefined])[] = [
    ['that is missing', undefined, undefined],
    ['that is empty', '', undefined],
    ['of one vendor', 'congo=t61rcWkgMzE', 'congo=t61rcWkgMzE'],
    ['with spaces and empty members', 'a=1 ,\t, b=2', 'a=1,b=2'],
    ['of a tenant', '0tenant@vendor=x/y', '0tenant@vendor=x/y'],
    ['in several headers', ['a=1', 'b=2'], 'a=1,b=2'],
    ['with 32 members', many(32), many(32)],
    ['with 33 members', many(33), undefined],
    ['with a key twice', 'a=1,a=2', undefined],
    ['with a capital letter in a key', 'A=1', undefined],
    ['without a value', 'a=', undefined],
    ['with a member that is not a pair', 'a=1,b', undefined],
    ['with an equals sign in a value', 'a=1=2', undefined],
    ['with a letter outside ASCII', 'a=é', undefined],
    ['that is longer than is passed on', `a=${'x'.repeat(256)},`.repeat(20), undefined],
  ];
  for (const [name, sent, passedOn] of cases) {
    it(`${name} is ${passedOn === undefined ? 'left out' : 'passed on'}`, () => {
      const context = parseTraceContext(PARENT, sent);
      assert.ok(context !== undefined);
      assert.equal(traceHeaders(context).tracestate, passedOn);
    });
  }
});
