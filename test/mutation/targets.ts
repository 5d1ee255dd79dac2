/**
 * The files to mutate, for limits, authorisation, preconditions, paging and audit, and their
 * tests.
 */

export interface Target {
  readonly file: string;
  /** The fastest tests first: the first test that fails detects the mutant. */
  readonly tests: readonly string[];
}

const ORDERS = [
  'test/order-response/calls.test.ts',
  'test/order-response/preconditions.http.test.ts',
  'test/order-response/conditions.http.test.ts',
  'test/order-response/interactions.http.test.ts',
  'test/order-response/service.http.test.ts',
  'test/order-response/history.http.test.ts',
  'test/order-response/order-of-checks.http.test.ts',
  'test/order-response/conditional-update.http.test.ts',
  'test/order-response/changes.http.test.ts',
  'test/order-response/changes-types.test.ts',
  'test/order-response/delete.http.test.ts',
  'test/order-response/search.http.test.ts',
  'test/order-response/transaction.http.test.ts',
];

const SEARCH = [
  'test/directory/stu3/parse-search.test.ts',
  'test/directory/search.http.test.ts',
  'test/directory/links.http.test.ts',
  'test/directory/searchset.test.ts',
  'test/directory/read.http.test.ts',
  'test/directory/paging.http.test.ts',
];

const STORE = [
  'test/storage/sqlite/repository.test.ts',
  'test/storage/sqlite/verify-repository.test.ts',
];

const files = (tests: readonly string[], ...names: string[]): Target[] =>
  names.map((file) => ({ file, tests }));

export const TARGETS: readonly Target[] = [
  ...files(
    [
      'test/server/gate.test.ts',
      'test/server/loop-delay.test.ts',
      'test/server/http-listener.test.ts',
      'test/order-response/body-is-read-last.http.test.ts',
    ],
    'src/server/limits/gate.ts',
  ),
  ...files(
    [
      'test/server/request-body.test.ts',
      'test/server/client-address.test.ts',
      'test/order-response/body-is-read-last.http.test.ts',
      'test/server/http-listener.test.ts',
    ],
    'src/server/request-parts.ts',
  ),
  ...files(
    ['test/server/client-totals.test.ts', 'test/server/http-listener.test.ts'],
    'src/server/limits/client-totals.ts',
  ),
  ...files(['test/server/rate-limit.test.ts'], 'src/server/limits/rate-limit.ts'),
  ...files(['test/auth/scopes.test.ts', 'test/auth/jwt.test.ts'], 'src/auth/scopes.ts'),
  ...files(
    ['test/auth/token-cache.test.ts', 'test/auth/introspection.test.ts'],
    'src/auth/token-cache.ts',
  ),
  ...files(
    ['test/auth/issuer-questions.test.ts', 'test/auth/introspection.test.ts'],
    'src/auth/introspection.ts',
  ),
  ...files(
    [
      'test/auth/claims.test.ts',
      'test/auth/key-set.test.ts',
      'test/auth/jwt.test.ts',
      'test/auth/authenticator.test.ts',
      'test/auth/keys.test.ts',
      'test/auth/introspection.test.ts',
      'test/auth/own-key.test.ts',
      'test/auth/bearer-token.test.ts',
      'test/auth/scopes.test.ts',
      'test/auth/issuer.test.ts',
    ],
    'src/auth/claims.ts',
    'src/auth/key-set.ts',
    'src/auth/jwt.ts',
    'src/auth/authenticator.ts',
  ),
  ...files(
    ORDERS,
    'src/fhir/stored/preconditions.ts',
    'src/fhir/service/condition.ts',
    'src/fhir/interactions/update.ts',
    'src/fhir/interactions/create.ts',
    'src/fhir/interactions/history.ts',
    'src/fhir/service/refused-access.ts',
  ),
  ...files([...ORDERS, ...SEARCH], 'src/fhir/service/run-interaction.ts'),
  ...files(
    [
      'test/fhir/format/limits.test.ts',
      'test/fhir/format/hostile.test.ts',
      'test/order-response/validation.http.test.ts',
    ],
    'src/fhir/format/limits.ts',
  ),
  ...files(
    ['test/fhir/query-string.test.ts', ...SEARCH, 'test/directory/search-form.http.test.ts'],
    'src/fhir/search/result-parameters.ts',
    'src/fhir/search/parse-search-query.ts',
    'src/interfaces/stu3/parameters.ts',
    'src/interfaces/faces/search.ts',
    'src/interfaces/faces/searchset.ts',
    'src/fhir/http/query-string.ts',
  ),
  ...files(
    ['test/fhir/headers.test.ts', 'test/fhir/header-list.test.ts', ...SEARCH, ...ORDERS],
    'src/fhir/http/headers.ts',
  ),
  ...files(
    ['test/fhir/derived-from-interactions.test.ts', ...ORDERS, ...SEARCH],
    'src/fhir/service/locate.ts',
    'src/fhir/service/route-table.ts',
  ),
  ...files(
    ['test/storage/audit-chain.test.ts', 'test/storage/sqlite/verify-repository.test.ts'],
    'src/storage/repository/audit-chain.ts',
  ),
  ...files(STORE, 'src/storage/sqlite/repository.ts', 'src/storage/repository/operation-runner.ts'),
  ...files(['test/fhir/audit-event.test.ts'], 'src/fhir/audit/audit-event.ts'),
];
