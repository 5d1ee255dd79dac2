/** The errors of the ORD interface: `{"errorCode":…,"errorText":…}`, with the same status. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type DirectoryServer, startDirectory } from '../directory-server.ts';
import { startOrd } from './ord-server.ts';

const NO_POSTCODE =
  'Supplied PostCode must have 2 to 8 characters, and a letter and a digit among them, ' +
  'such as LS1 or LS1 4AP.';
const REPEATED_DATE = 'Repeated LastChangeDate argument.';
const noId = (name: string, example = 'RO197') =>
  `Supplied ${name} must be 3 to 10 letters and digits, such as ${example}`;
const NO_TARGET = 'Supplied TargetOrgId must be the code of an organisation';

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
  ['organisations?PostCode=', 406, NO_POSTCODE],
  ['organisations?PostCode=LS', 406, NO_POSTCODE],
  ['organisations?PostCode=LS11%204AP1', 406, NO_POSTCODE],
  ['organisations?PostCode=LS1%204A%25', 406, NO_POSTCODE],
  ['organisations?PostCode=12345', 406, NO_POSTCODE],
  ['organisations?PrimaryRoleId=RO', 406, noId('PrimaryRoleId')],
  ['organisations?PrimaryRoleId=RO1234567890', 406, noId('PrimaryRoleId')],
  ['organisations?PrimaryRoleId=RO197,RO198', 406, noId('PrimaryRoleId')],
  ['organisations?NonPrimaryRoleId=197-8', 406, noId('NonPrimaryRoleId')],
  ['organisations?Roles=RO197,', 406, noId('Roles')],
  [`organisations?Roles=${'RO1,'.repeat(200)}RO1`, 406, 'Supplied Roles has more than 200 values'],
  ['organisations?RelTypeId=4', 406, noId('RelTypeId', 'RE4')],
  ['organisations?TargetOrgId=', 406, NO_TARGET],
  ['organisations?TargetOrgId=03-Q', 406, NO_TARGET],
  ['organisations?RelStatus=open', 406, 'Supplied RelStatus must be Active or Inactive'],
  ['organisations?OrgRecordClass=1', 406, 'Supplied OrgRecordClass must be RC1 or RC2'],
  ['organisations?OrgRecordClass=RC3', 406, 'Supplied OrgRecordClass must be RC1 or RC2'],
  ['organisations?_edition=x', 406, 'Supplied _edition must be the number of an edition'],
  ['sync', 406, 'Supplied query must include some query parameters'],
  ['sync?LastChangeDate=yesterday', 406, 'Invalid date format.'],
  ['sync?LastChangeDate=9999-01-01', 406, 'Supplied LastChangeDate is in the future.'],
  ['sync?LastChangeDate=2020-01-01&Limit=5', 406, 'Unknown argument found.'],
  ['sync?LastChangeDate=2020-01-01&LastChangeDate=2021-01-01', 406, REPEATED_DATE],
  ['sync/RR8?LastChangeDate=2020-01-01', 404, 'Not found'],
  ['roles/RO1', 404, 'Not found'],
  ['roles/197', 404, 'Not found'],
  ['roles?Name=trust', 406, 'Unknown argument found.'],
  ['rels/RE99', 404, 'Not found'],
  ['recordclasses/RC9', 404, 'Not found'],
];

/** The national texts do not say what was unknown. */
function isUnknown(path: string, text: string): boolean {
  const isPath = !/^(organisations|roles|rels|recordclasses)\/[^/]+$/.test(path);
  return text === 'Unknown argument found.' || (text === 'Not found' && isPath);
}

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
        const { errorHint, ...national } = JSON.parse(answer.text);
        assert.deepEqual(national, { errorCode: code, errorText: text });
        assert.equal(errorHint === undefined, !isUnknown(path, text), errorHint);
        const help = '<http://directory.test/fhir/api>; rel="help"';
        assert.equal(answer.headers.get('link'), code === 406 ? help : null);
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
    for (const path of [
      'organisations/RR8',
      'organisations?Name=leeds',
      'sync?LastChangeDate=2020-01-01',
      'roles',
    ]) {
      const answer = await empty.get(`/fhir/ORD/2-0-0/${path}`);
      assert.equal(answer.status, 503);
      assert.equal(answer.headers.get('retry-after'), '5');
      const { errorCode, errorText } = JSON.parse(answer.text);
      assert.equal(errorCode, 503);
      assert.match(errorText, /^The directory has no edition yet\./);
    }
  });
});
