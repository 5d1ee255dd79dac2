/** The scopes of a token and the requests that they allow. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createAuthorize } from '../../src/auth/authenticator.ts';
import { allows, parseScope, parseScopes } from '../../src/auth/scopes.ts';
import { describeRefusal } from './refused.ts';

const ALL = [
  'read Organization',
  'read OrderResponse',
  'write Organization',
  'write OrderResponse',
  'read AuditEvent',
];

/** The scopes for all types do not include the audit log. */
const ALL_TYPES = ALL.filter((need) => need !== 'read AuditEvent');

describe('a scope', () => {
  const cases: readonly (readonly [scope: unknown, scp: unknown, allowed: readonly string[]])[] = [
    ['system/OrderResponse.read', undefined, ['read OrderResponse']],
    ['system/OrderResponse.write', undefined, ['write OrderResponse']],
    ['user/OrderResponse.*', undefined, ['read OrderResponse', 'write OrderResponse']],
    ['system/*.read', undefined, ['read Organization', 'read OrderResponse']],
    ['user/*.*', undefined, ALL_TYPES],
    ['system/*.*', undefined, ALL_TYPES],
    ['system/AuditEvent.read', undefined, ['read AuditEvent']],
    ['system/*.* user/AuditEvent.*', undefined, ALL],
    ['system/AuditEvent.write', undefined, []],
    ['openid system/OrderResponse.read', undefined, ['read OrderResponse']],
    [undefined, ['system/OrderResponse.read'], ['read OrderResponse']],
    [['system/OrderResponse.read'], undefined, ['read OrderResponse']],
    ['system/Organization.read', ['system/OrderResponse.read'], ALL.slice(0, 2)],
    [undefined, 'system/Organization.read system/OrderResponse.read', ALL.slice(0, 2)],
    ['patient/OrderResponse.read', undefined, []],
    ['patient/*.*', undefined, []],
    ['patient/*.* system/Organization.read', undefined, ['read Organization']],
    ['', undefined, []],
    [undefined, undefined, []],
    [7, { read: true }, []],
    [[7, null], undefined, []],
    ['OrderResponse.read', undefined, []],
    ['system/orderResponse.read', undefined, []],
    ['SYSTEM/OrderResponse.read', undefined, []],
    ['system/OrderResponse.rs', undefined, []],
    ['system/OrderResponse.readwrite', undefined, []],
    ['system/OrderResponse', undefined, []],
    ['xsystem/OrderResponse.read', undefined, []],
    ['system/OrderResponse.read\nx', undefined, []],
    ['system/OrderResponse.read,system/OrderResponse.write', undefined, []],
  ];
  for (const [scope, scp, allowed] of cases) {
    const shown = JSON.stringify({ scope, scp });
    it(`of ${shown} allows ${allowed.join(', ') || 'nothing'}`, () => {
      const scopes = parseScopes(scope, scp);
      const found = ALL.filter((need) => {
        const [action, type = ''] = need.split(' ');
        return allows(scopes, { type, action: action === 'read' ? 'read' : 'write' });
      });
      assert.deepEqual(found, allowed);
    });
  }
});

describe('authorize', () => {
  const need = { type: 'OrderResponse', action: 'write' } as const;
  const identity = { subject: 'clinic' };
  const authenticatedWith = (scope: string) => ({ identity, scopes: parseScopes(scope) });

  it('returns the identity of an allowed client, without a promise if the token is cached', async () => {
    const known = authenticatedWith('system/OrderResponse.write');
    assert.equal(
      createAuthorize({ authenticate: () => known })('Bearer x', need, '127.0.0.1'),
      identity,
    );
    const later = createAuthorize({ authenticate: async () => known })(
      'Bearer x',
      need,
      '127.0.0.1',
    );
    assert.ok(later instanceof Promise);
    assert.equal(await later, identity);
  });

  it('names the missing scope', async () => {
    const known = authenticatedWith('system/OrderResponse.read patient/OrderResponse.write');
    const expected = {
      kind: 'forbidden',
      diagnostics:
        'The bearer token does not allow this request, which needs the scope system/OrderResponse.write.',
      headers: {
        'www-authenticate':
          'Bearer realm="gazetteer", error="insufficient_scope", ' +
          'scope="system/OrderResponse.write"',
      },
    };
    const matches = (error: unknown) => {
      assert.deepEqual(describeRefusal(error), expected);
      return true;
    };
    assert.throws(
      () => createAuthorize({ authenticate: () => known })('Bearer x', need, '127.0.0.1'),
      matches,
    );
    const later = async () =>
      createAuthorize({ authenticate: async () => known })('Bearer x', need, '127.0.0.1');
    await assert.rejects(later, matches);
  });
});

it('other words are not scopes', () => {
  const words = ['patient/OrderResponse.read', 'openid', 'system/OrderResponse.delete', ''];
  assert.deepEqual(words.map(parseScope), [undefined, undefined, undefined, undefined]);
});
