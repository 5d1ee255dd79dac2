/** What a setting with an unknown name is told: the similar one, if there is one. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { loadConfig } from '../../src/config/load-config.ts';
import { unknownName } from '../../src/fhir/request/unknown-name.ts';

const FILE_CASES: readonly (readonly [content: object, meant: string | undefined])[] = [
  [{ foo: 1 }, undefined],
  [{ abc: 1 }, undefined],
  [{ prt: 1 }, 'port'],
  [{ hots: 'a' }, 'host'],
  [{ log: { levl: 'info' } }, 'log.level'],
  [{ baseURL: 'http://a' }, 'baseUrl'],
];
for (const [content, meant] of FILE_CASES) {
  it(`${JSON.stringify(content)} in the file suggests ${meant ?? 'nothing'}`, () => {
    const file = { name: 'config.json', text: JSON.stringify(content) };
    requireHint(() => loadConfig({ flags: {}, environment: {}, file, unknownName }), meant);
  });
}

const VARIABLE_CASES: readonly (readonly [name: string, meant: string | undefined])[] = [
  ['GAZETTEER_FOO', undefined],
  ['GAZETTEER_PRT', 'GAZETTEER_PORT'],
  ['GAZETTEER_LOG_LEVL', 'GAZETTEER_LOG_LEVEL'],
];
for (const [name, meant] of VARIABLE_CASES) {
  it(`${name} suggests ${meant ?? 'nothing'}`, () => {
    requireHint(() => loadConfig({ flags: {}, environment: { [name]: '1' }, unknownName }), meant);
  });
}

function requireHint(load: () => unknown, meant: string | undefined): void {
  assert.throws(load, ({ message }: Error) => {
    assert.match(message, /^Unknown (setting|variable) "[^"]+"/);
    assert.match(message, /See "gazetteer serve --help" for the list of /);
    assert.equal(/Did you mean "(\S+)"\?/.exec(message)?.[1], meant);
    return true;
  });
}
