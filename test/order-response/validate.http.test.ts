/** The operation $validate, of the type and of one resource. */
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { EXAMPLE, startOrders } from './order-server.ts';
import { FORMATS, resourceIn } from './wire-formats.ts';

interface Issue {
  readonly severity: string;
  readonly diagnostics: string;
  readonly location?: readonly string[];
}

const parameters = (resource: object, more: readonly object[] = []) => ({
  resourceType: 'Parameters',
  parameter: [...more, { name: 'resource', resource }],
});

async function setUp(context: TestContext, type: string, settings = {}) {
  const server = await startOrders(settings);
  context.after(() => server.close());
  const post = async (path: string, body: string, token = 'all') => {
    const headers = { 'content-type': type, accept: type, authorization: `Bearer ${token}` };
    const answer = await server.send('POST', path, headers, body);
    const outcome = resourceIn(answer);
    const issues: readonly Issue[] = outcome.issue;
    return { status: answer.status, issues, text: answer.text };
  };
  return { server, post };
}

const WITHOUT_STATUS = { ...EXAMPLE, orderStatus: undefined };

for (const [format, { type, encode }] of Object.entries(FORMATS)) {
  describe(`$validate in ${format}`, () => {
    for (const [name, wrap] of [
      ['a resource', (resource: object) => resource],
      ['Parameters', (resource: object) => parameters(resource)],
    ] as const) {
      it(`accepts and refuses what a create would, in ${name}, and stores nothing`, async (context) => {
        const { server, post } = await setUp(context, type);
        const path = 'OrderResponse/$validate';
        const good = await post(path, encode(wrap(EXAMPLE)));
        assert.equal(good.status, 200, good.text);
        assert.equal(good.issues[0]?.severity, 'information');
        assert.equal(good.issues[0]?.diagnostics, 'The resource is valid.');
        const bad = await post(path, encode(wrap(WITHOUT_STATUS)));
        assert.equal(bad.status, 200);
        assert.equal(bad.issues[0]?.severity, 'error');
        assert.deepEqual(bad.issues[0]?.location, ['/f:OrderResponse/f:orderStatus']);
        const rule = await post(path, encode(wrap({ ...EXAMPLE, contained: undefined })));
        assert.ok(rule.issues.some(({ severity }) => severity === 'error'));
        const other = await post(path, encode(wrap({ resourceType: 'Order', id: 'x' })));
        assert.ok(
          other.issues.some((issue) => /type Order\. Send OrderResponse/.test(issue.diagnostics)),
        );
        assert.deepEqual(server.store.journal, []);
      });
    }

    it('looks at the id as the mode needs it', async (context) => {
      const { server, post } = await setUp(context, type, { allowDelete: true });
      const id = await server.create();
      const { resourceType, ...rest } = EXAMPLE;
      const withId = encode({ resourceType, id, ...rest });
      const first = async (path: string, body: string) => (await post(path, body)).issues[0];
      const create = await first('OrderResponse/$validate?mode=create', withId);
      assert.match(create?.diagnostics ?? '', /The server gives new resources their ids/);
      const update = await first(`OrderResponse/${id}/$validate`, encode(EXAMPLE));
      assert.match(update?.diagnostics ?? '', /The id is missing/);
      for (const path of [`OrderResponse/${id}/$validate?mode=update`, 'OrderResponse/$validate']) {
        assert.equal((await first(path, withId))?.severity, 'information', path);
      }
      const mode = parameters({ resourceType, id, ...rest }, [
        { name: 'mode', valueCode: 'create' },
      ]);
      const named = await first('OrderResponse/$validate', encode(mode));
      assert.match(named?.diagnostics ?? '', /The server gives new resources their ids/);
      const deletion = await first(`OrderResponse/${id}/$validate?mode=delete`, encode(EXAMPLE));
      assert.equal(deletion?.diagnostics, `OrderResponse/${id} can be deleted.`);
    });

    it('takes the profile that FHIR has for the type', async (context) => {
      const { post } = await setUp(context, type);
      const own = 'http://hl7.org/fhir/StructureDefinition/OrderResponse';
      const answer = await post(`OrderResponse/$validate?profile=${own}`, encode(EXAMPLE));
      assert.equal(answer.issues[0]?.severity, 'information', answer.text);
      const both = `OrderResponse/$validate?profile=${own}&profile=http://x`;
      assert.equal((await post(both, encode(EXAMPLE))).status, 400);
    });

    it('says why it cannot validate', async (context) => {
      const { server, post } = await setUp(context, type);
      const id = await server.create();
      for (const [path, status, location, diagnostics] of [
        ['OrderResponse/$validate?mode=destroy', 400, 'mode', /Unknown value "destroy" of mode/],
        ['OrderResponse/$validate?mode=create&mode=update', 400, 'mode', /only once/],
        ['OrderResponse/$validate?mode=delete', 400, 'mode', /needs the id/],
        ['OrderResponse/$validate?profile=http://x', 400, 'profile', /cannot check the profile/],
        [`OrderResponse/${id}/$validate?mode=delete`, 405, undefined, /does not allow/],
      ] as const) {
        const answer = await post(path, encode(EXAMPLE));
        assert.equal(answer.status, status, path);
        assert.match(answer.issues[0]?.diagnostics ?? '', diagnostics);
        assert.deepEqual(answer.issues[0]?.location, location && [`http.${location}`]);
      }
      const unknown = await setUp(context, type, { allowDelete: true });
      const path = 'OrderResponse/nobody/$validate?mode=delete';
      assert.equal((await unknown.post(path, encode(EXAMPLE))).status, 404);
      const broken = await post('OrderResponse/$validate', '<broken');
      assert.equal(broken.status, 200);
      assert.equal(broken.issues[0]?.severity, 'error');
      const invalid = { ...EXAMPLE, orderStatus: 'done' };
      for (const [body, says] of [
        [{ resourceType: 'Parameters' }, /Send the parameter resource\./],
        [parameters(invalid, [{ name: 'resource', resource: EXAMPLE }]), /resource only once/],
        [parameters(EXAMPLE, [{ name: 'profil', valueUri: 'x' }]), /"profil".*profile/],
      ] as const) {
        const refused = await post('OrderResponse/$validate', encode(body));
        assert.equal(refused.status, 400);
        assert.match(refused.issues[0]?.diagnostics ?? '', says);
      }
    });

    it('needs the scope to read', async (context) => {
      const { post } = await setUp(context, type);
      assert.equal((await post('OrderResponse/$validate', encode(EXAMPLE), 'writer')).status, 403);
      assert.equal((await post('OrderResponse/$validate', encode(EXAMPLE), 'reader')).status, 200);
    });
  });
}
