/** The errors of the interface ORD: `{"errorCode":…,"errorText":…}`, with the same status. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type DirectoryServer, startDirectory } from '../directory-server.ts';
import { startOrd } from './ord-server.ts';

const ERRORS: readonly (readonly [path: string, code: number, text: string])[] = [
  ['', 404, 'Not found'],
  ['/', 404, 'Not found'],
  ['organisations/NONE', 404, 'Not found'],
  ['organisations/%ff', 404, 'Not found'],
  ['organisations/RR8/roles', 404, 'Not found'],
  ['Organisations/RR8', 404, 'Not found'],
  ['metadata', 404, 'Not found'],
  ['organisations/RR8?Name=leeds', 406, 'Unknown argument found.'],
  ['organisations', 406, 'Supplied query must include some query parameters'],
  ['organisations?', 406, 'Supplied query must include some query parameters'],
  ['organisations?Limit=5&Offset=5', 406, 'Supplied query must include some query parameters'],
  ['organisations?Town=Leeds', 406, 'Unknown argument found.'],
  ['organisations?name=leeds', 406, 'Unknown argument found.'],
  ['organisations?Name=leeds&Name=trust', 406, 'Repeated Name argument.'],
  ['organisations?Name=leeds&Limit=1&Limit=1', 406, 'Repeated Limit argument.'],
  ['organisations?Name=le', 406, 'Supplied Name needs a minimum of 3 Characters.'],
  ['organisations?Name=', 406, 'Supplied Name needs a minimum of 3 Characters.'],
  ['organisations?Name=%20%20%20', 406, 'Supplied Name needs a minimum of 3 Characters.'],
  [`organisations?Name=${'a'.repeat(101)}`, 406, 'Supplied Name too long, max 100 Characters.'],
  ['organisations?Name=leeds%3F', 406, 'Supplied Name has invalid Character/s.'],
  ['organisations?Name=%ff', 406, 'Name is not percent-encoded UTF-8.'],
  ['organisations?LastChangeDate=2017', 406, 'Invalid date format.'],
  ['organisations?LastChangeDate=2017-02-30', 406, 'Invalid date format.'],
  ['organisations?LastChangeDate=gt2017-02-01', 406, 'Invalid date format.'],
  ['organisations?LastChangeDate=9999-01-01', 406, 'Supplied LastChangeDate is in the future.'],
  ['organisations?Status=closed', 406, 'Supplied Status must be Active or Inactive'],
  ['organisations?Name=leeds&Limit=0', 406, 'Supplied Limit must be between 1 and 1000'],
  ['organisations?Name=leeds&Limit=1001', 406, 'Supplied Limit must be between 1 and 1000'],
  ['organisations?Name=leeds&Limit=all', 406, 'Supplied Limit must be between 1 and 1000'],
  ['organisations?Name=leeds&Offset=0', 406, 'Suppied Offset must be greater than 1'],
  ['organisations?Name=leeds&Offset=-1', 406, 'Suppied Offset must be greater than 1'],
];

describe('an error of ORD', () => {
  let server: DirectoryServer;
  before(async () => {
    server = await startOrd();
  });
  after(() => server.close());

  for (const [path, code, text] of ERRORS) {
    it(`of ${path || 'the base'} is ${code} ${text}`, async () => {
      for (const format of ['json', 'xml']) {
        const separator = path.includes('?') ? '&' : '?';
        const answer = await server.get(`${path}${separator}_format=${format}`);
        assert.equal(answer.status, code);
        assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
        assert.deepEqual(JSON.parse(answer.text), { errorCode: code, errorText: text });
      }
    });
  }

  it('is 405 for other methods, and says which there are', async () => {
    for (const path of ['organisations', 'organisations/RR8']) {
      const answer = await server.post(path, 'Name=leeds');
      assert.equal(answer.status, 405);
      assert.equal(answer.headers.get('allow'), 'GET, HEAD, OPTIONS');
      assert.deepEqual(JSON.parse(answer.text), {
        errorCode: 405,
        errorText: `POST is not offered on ${path}. Use GET or HEAD.`,
      });
      const preflight = await server.get(path, {}, 'OPTIONS');
      assert.equal(preflight.status, 204);
      assert.equal(preflight.headers.get('allow'), 'GET, HEAD, OPTIONS');
    }
  });

  it('is 406 for a format that ORD does not have', async () => {
    const named = await server.get('organisations/RR8?_format=csv');
    assert.deepEqual(JSON.parse(named.text), {
      errorCode: 406,
      errorText: 'Unknown content type specified "csv"',
    });
    const accepted = await server.get('organisations/RR8', { accept: 'image/png' });
    assert.equal(accepted.status, 406);
    assert.match(JSON.parse(accepted.text).errorText, /application\/json or application\/xml\.$/);
  });

  it('is 503 with Retry-After while there is no edition', async (context) => {
    const editions = { current: () => undefined, byNumber: () => undefined };
    const empty = await startDirectory({ editions });
    context.after(() => empty.close());
    for (const path of ['organisations/RR8', 'organisations?Name=leeds']) {
      const answer = await empty.get(`/fhir/ORD/2-0-0/${path}`);
      assert.equal(answer.status, 503);
      assert.equal(answer.headers.get('retry-after'), '5');
      const { errorCode, errorText } = JSON.parse(answer.text);
      assert.equal(errorCode, 503);
      assert.match(errorText, /^The directory has no edition yet\./);
    }
  });
});
