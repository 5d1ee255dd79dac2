/** Bodies that are refused over HTTP: the status, the place of each problem, and that nothing is stored. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { DSTU2 } from '../../src/fhir/definitions/fhir-version.ts';
import { CASES, type Draft, ROOT, withText } from './invalid-bodies.ts';
import { BASE, EXAMPLE, EXAMPLE_XML, type OrderServer, startOrders } from './order-server.ts';
import { FORMATS, requirePrivate, resourceIn } from './wire-formats.ts';

let server: OrderServer;
let open: OrderServer;
before(async () => {
  server = await startOrders();
  open = await startOrders({ profile: 'base', elementsMax: 300, depthMax: 20 });
});
after(() => Promise.all([server.close(), open.close()]));

function changed(change: (draft: Draft) => void): Draft {
  const draft = JSON.parse(JSON.stringify(EXAMPLE));
  change(draft);
  draft.contained = draft.contained.map(inOrder);
  return inOrder(draft);
}

/** The elements as XML has them, wherever a change has put them. */
function inOrder(resource: Draft): Draft {
  const names = [...(DSTU2.definitions.type(resource.resourceType)?.properties.keys() ?? [])];
  return Object.fromEntries(
    ['resourceType', ...names].flatMap((name) =>
      name in resource ? [[name, resource[name]]] : [],
    ),
  );
}

const locationsOf = (issues: readonly { location?: readonly string[] }[]) =>
  issues.flatMap(({ location }) => location ?? []);

for (const [format, { type, encode }] of Object.entries(FORMATS)) {
  const post = (body: string, to = server) =>
    to.send('POST', 'OrderResponse', { 'content-type': type, accept: type }, body);

  describe(`a body in ${format}`, () => {
    for (const { name, change, status, code, path } of CASES) {
      it(`with ${name} is ${status} with its place, for a create and an update`, async () => {
        const id = await server.create();
        const before = server.store.journal.length;
        const draft = changed(change);
        const { resourceType, ...rest } = draft;
        for (const [method, where, body] of [
          ['POST', 'OrderResponse', draft],
          ['PUT', `OrderResponse/${id}`, { resourceType, id, ...rest }],
        ] as const) {
          const headers = { 'content-type': type, accept: type };
          const answer = await server.send(method, where, headers, encode(body));
          assert.equal(answer.status, status, answer.text);
          requirePrivate(answer);
          const { issue } = resourceIn(answer);
          assert.ok(issue.every(({ severity }: Draft) => severity === 'error'));
          const found = issue.find(({ location }: Draft) => location?.includes(path));
          assert.ok(found, `${path} in ${locationsOf(issue)}`);
          assert.equal(found.code, code);
          assert.equal(found.details.coding[0].code, 'BAD_REQUEST');
          if (status === 422) assert.ok(issue.every((one: Draft) => one.code === 'business-rule'));
          assert.equal(/\(line \d+, column \d+\)$/.test(found.diagnostics), format === 'xml');
        }
        const entries = server.store.journal.slice(before).map(({ entry }) => entry);
        assert.deepEqual(entries, ['create invalid', 'update invalid']);
      });
    }

    it('with faults of both kinds is 400, and lists all of them', async () => {
      const answer = await post(
        encode(
          changed((draft) => {
            withText('<script>a()</script>')(draft);
            draft.orderStatus = 'done';
            draft.date = '2017-06-15T14:57:54';
          }),
        ),
      );
      assert.equal(answer.status, 400);
      const codes = resourceIn(answer).issue.map(({ code }: Draft) => code);
      assert.deepEqual(codes.toSorted(), ['business-rule', 'value', 'value']);
    });

    it('with a hundred faults lists all of them, and with more a hundred and the number of others', async () => {
      for (const [count, more] of [
        [100, undefined],
        [101, '1 more'],
        [250, '150 more'],
      ] as const) {
        const body = changed((draft) => {
          const wrong = Array.from({ length: count }, () => ({ use: 'wrong' }));
          draft.contained[1].name = wrong;
        });
        const answer = await post(encode(body));
        assert.equal(answer.status, 400);
        const { issue } = resourceIn(answer);
        assert.equal(issue.length, more === undefined ? 100 : 101);
        const places = locationsOf(issue);
        assert.equal(places.length, 100);
        assert.equal(places[99], `${ROOT}/f:contained[2]/f:Patient/f:name[100]/f:use`);
        if (more !== undefined) assert.match(issue[100].diagnostics, new RegExp(`^${more}`));
      }
    });

    it('with more elements or levels than allowed is 400', async () => {
      const wide = changed((draft) => {
        draft.contained[1].name = Array.from({ length: 300 }, () => ({ text: 'a' }));
      });
      const deep = changed((draft) => {
        let extension = { url: 'urn:a', valueString: 'a' } as Draft;
        for (let level = 0; level < 20; level += 1) {
          extension = { url: 'urn:a', extension: [extension] };
        }
        draft.contained[1].extension = [extension];
      });
      for (const [body, says] of [
        [wide, /more than 300 elements/],
        [deep, /more than 20 levels/],
      ] as const) {
        const answer = await post(encode(body), open);
        assert.equal(answer.status, 400, answer.text);
        assert.equal(resourceIn(answer).issue[0].code, 'too-long');
        assert.match(answer.text, says);
        assert.equal((await post(encode(body))).status, 201);
      }
    });

    it('may refer to anything if orders.profile is base', async () => {
      const bodies = [
        {
          resourceType: 'OrderResponse',
          request: { reference: 'https://elsewhere.example/Order/1' },
          who: { reference: 'Organization/1' },
          orderStatus: 'completed',
        },
        { resourceType: 'OrderResponse', request: { display: 'by post' }, orderStatus: 'review' },
        EXAMPLE,
      ];
      for (const body of bodies) {
        const answer = await post(encode(body), open);
        assert.equal(answer.status, 201, answer.text);
        const where = answer.headers.get('location')?.slice(BASE.length + 1) ?? '';
        const {
          id: _,
          meta: __,
          ...rest
        } = resourceIn(await open.send('GET', where, { accept: type }));
        assert.deepEqual(rest, body);
      }
      const scripted = changed(withText('<script>a()</script>'));
      assert.equal((await post(encode(scripted), open)).status, 422);
      assert.equal(
        (await post(encode(changed((draft) => delete draft.request)), open)).status,
        400,
      );
    });

    it('may name unknown profiles, which are kept with a warning', async () => {
      const profile = ['http://hl7.org/fhir/StructureDefinition/OrderResponse', 'urn:other'];
      const { resourceType, ...rest } = EXAMPLE;
      const answer = await post(encode({ resourceType, meta: { profile }, ...rest }));
      assert.equal(answer.status, 201);
      const outcome = resourceIn(answer);
      assert.deepEqual(
        outcome.issue.map(({ severity }: Draft) => severity),
        ['information', 'warning'],
      );
      assert.match(outcome.issue[1].diagnostics, /urn:other/);
      assert.match(outcome.text.div, /urn:other/);
      const where = answer.headers.get('location')?.slice(BASE.length + 1) ?? '';
      const read = resourceIn(await server.send('GET', where));
      assert.deepEqual(read.meta.profile, profile);
    });

    it('may have unknown extensions, also modifiers, and ids of elements, which are kept', async () => {
      const body = changed((draft) => {
        draft.extension = [
          { url: 'urn:a', valueDecimal: 1 },
          { url: 'urn:b', extension: [{ url: 'c', valueCode: 'd' }] },
        ];
        draft.modifierExtension = [{ url: 'urn:e', valueBoolean: true }];
        draft.who.id = 'responder';
      });
      const { reference, id } = body.who;
      body.who = { id, reference };
      const answer = await post(encode(body));
      assert.equal(answer.status, 201, answer.text);
      const where = answer.headers.get('location')?.slice(BASE.length + 1) ?? '';
      const read = resourceIn(await server.send('GET', where, { accept: type }));
      assert.deepEqual({ ...body, id: read.id, meta: read.meta }, read);
    });

    it('may have dates of any precision, and times with a zone', async () => {
      for (const date of ['2017', '2017-06', '2017-06-15', '2017-06-15T14:57:54.123Z']) {
        const answer = await post(encode(changed((draft) => Object.assign(draft, { date }))));
        assert.equal(answer.status, 201, answer.text);
        const where = answer.headers.get('location')?.slice(BASE.length + 1) ?? '';
        assert.equal(resourceIn(await server.send('GET', where)).date, date);
      }
    });

    it('has one of the statuses of DSTU2', async () => {
      const statuses =
        'pending review rejected error accepted cancelled replaced aborted completed';
      for (const orderStatus of statuses.split(' ')) {
        assert.equal((await post(encode({ ...EXAMPLE, orderStatus }))).status, 201);
      }
      for (const orderStatus of ['Completed', 'active', 'requested']) {
        assert.equal((await post(encode({ ...EXAMPLE, orderStatus }))).status, 400);
      }
    });
  });
}

describe('a body in json alone', () => {
  const post = (text: string) =>
    server.send('POST', 'OrderResponse', { 'content-type': 'application/json' }, text);
  const text = JSON.stringify(EXAMPLE);

  it('may have comments in fhir_comments, which are dropped', async () => {
    const commented = {
      fhir_comments: ['outer'],
      ...EXAMPLE,
      _orderStatus: { fhir_comments: ['inner'] },
    };
    const answer = await post(JSON.stringify(commented));
    assert.equal(answer.status, 201, answer.text);
    const where = answer.headers.get('location')?.slice(BASE.length + 1) ?? '';
    const {
      id: _,
      meta: __,
      ...rest
    } = resourceIn(await server.send('GET', where, { accept: 'application/json' }));
    assert.deepEqual(rest, EXAMPLE);
  });

  it('may have a narrative without a namespace, which gets one in XML', async () => {
    const { resourceType, ...rest } = EXAMPLE;
    const body = { resourceType, text: { status: 'generated', div: '<div>Seen</div>' }, ...rest };
    const answer = await post(JSON.stringify(body));
    assert.equal(answer.status, 201, answer.text);
    const where = answer.headers.get('location')?.slice(BASE.length + 1) ?? '';
    const read = await server.send('GET', where, { accept: 'application/xml' });
    assert.match(read.text, /<div xmlns="http:\/\/www\.w3\.org\/1999\/xhtml">Seen<\/div>/);
  });

  it('may have a narrative with relative links to resources', async () => {
    const draft = changed(withText('<a href="Patient/1">a</a>'));
    const answer = await post(JSON.stringify(draft));
    assert.equal(answer.status, 201, answer.text);
  });

  const unreadable: readonly (readonly [what: string, content: string])[] = [
    ['an entity of HTML', 'a&nbsp;b'],
    ['an unbound prefix', '<o:p>a</o:p>'],
    ['an attribute twice, once with a prefix', '<p xmlns:o="urn:o" o:id="a" id="b">a</p>'],
    ['half of a surrogate pair', '<p title="\ud83d">a</p>'],
  ];
  for (const [what, content] of unreadable) {
    it(`with a narrative with ${what} is 400 with its place`, async () => {
      const answer = await post(JSON.stringify(changed(withText(content))));
      assert.equal(answer.status, 400, answer.text);
      assert.match(answer.text, /f:OrderResponse\/f:text\/h:div/);
    });
  }

  const wrong: readonly (readonly [what: string, text: string])[] = [
    ['an unknown element', text.replace('{', '{"nonsense":1,')],
    ['a name twice', text.replace('{', '{"orderStatus":"review",')],
    ['a null', text.replace('{', '{"description":null,')],
    ['an empty array', text.replace('{', '{"fulfillment":[],')],
    ['an empty string', text.replace('{', '{"description":"",')],
    ['a comment of JavaScript', `// a\n${text}`],
    ['two values', `${text}${text}`],
    ['an array', `[${text}]`],
    ['no type', text.replace('"resourceType":"OrderResponse",', '')],
    ['a family name outside of a list', text.replace('"family":["Kanfeld"]', '"family":"K"')],
    ['a practitioner with a list of names', text.replace(/"name":(\{[^}]*\})/, '"name":[$1]')],
    ['an identifier of a reference', text.replace('"#prac"', '"#prac","identifier":{}')],
    [
      'a telephone of system url',
      text.replace('"gender"', '"telecom":[{"system":"url"}],"gender"'),
    ],
  ];
  for (const [what, body] of wrong) {
    it(`with ${what} is 400`, async () => {
      assert.notEqual(body, text);
      const answer = await post(body);
      assert.equal(answer.status, 400, answer.text);
      assert.equal(resourceIn(answer).issue[0].severity, 'error');
    });
  }
});

const SCHEMA_LOCATION =
  'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://hl7.org/fhir a.xsd" xmlns=';

describe('a body in xml alone', () => {
  const post = (text: string) =>
    server.send('POST', 'OrderResponse', { 'content-type': 'application/xml' }, text);
  const text = EXAMPLE_XML.replace(/<\?xml[^>]*\?>\s*/, '');

  it('may have comments, processing instructions and prefixes, which are dropped', async () => {
    const sent = text
      .replace('<contained>', '<!-- a --><?b c?><contained>')
      .replace('<OrderResponse', '<?xml-stylesheet href="x"?><OrderResponse')
      .replace(/(<\/?)(?=[A-Za-z])/g, '$1f:')
      .replace('xmlns=', 'xmlns:f=');
    const answer = await post(sent);
    assert.equal(answer.status, 201, answer.text);
    const where = answer.headers.get('location')?.slice(BASE.length + 1) ?? '';
    const read = await server.send('GET', where);
    assert.doesNotMatch(read.text, /<!--|<\?b|xml-stylesheet|f:/);
    const { id: _, meta: __, ...rest } = resourceIn(read);
    assert.deepEqual(rest, EXAMPLE);
  });

  const status = /\s*<orderStatus value="completed"\/>/;
  const wrong: readonly (readonly [what: string, text: string])[] = [
    ['a DOCTYPE', `<!DOCTYPE OrderResponse>${text}`],
    ['its own entity', `<!DOCTYPE a [<!ENTITY b "c">]>${text.replace('"completed"', '"&b;"')}`],
    ['an unknown entity', text.replace('Kanfeld', '&nbsp;')],
    [
      'elements in a wrong order',
      text.replace(status, '').replace(/<date/, '<orderStatus value="completed"/>$&'),
    ],
    ['an unknown element', text.replace('<contained>', '<nonsense value="a"/><contained>')],
    ['an unknown attribute', text.replace('<orderStatus ', '<orderStatus mode="a" ')],
    ['an empty value', text.replace('"completed"', '""')],
    ['an empty element', text.replace('<contained>', '<text/><contained>')],
    ['text between elements', text.replace('<contained>', 'a<contained>')],
    ['no namespace', text.replace(/ xmlns="[^"]*"/, '')],
    ['another namespace', text.replace('hl7.org/fhir"', 'hl7.org/fhir/stu3"')],
    ['a schema location', text.replace('xmlns=', SCHEMA_LOCATION)],
    ['two resources in one contained', text.replace(/<\/contained>\s*<contained>/, '')],
    ['an end that is missing', text.slice(0, -20)],
    ['more after its end', `${text}<a/>`],
  ];
  for (const [what, body] of wrong) {
    it(`with ${what} is 400, with line and column`, async () => {
      assert.notEqual(body, text);
      const answer = await post(body);
      assert.equal(answer.status, 400, answer.text);
      const { diagnostics } = resourceIn(answer).issue[0];
      const [, line, column] = /\(line (\d+), column (\d+)\)$/.exec(diagnostics) ?? [];
      assert.ok(Number(line) >= 1 && Number(line) <= body.split('\n').length, diagnostics);
      assert.ok(Number(column) >= 1, diagnostics);
    });
  }

  it('has findings with the exact line and column', async () => {
    const answer = await post(
      '<OrderResponse xmlns="http://hl7.org/fhir">\n  <wrong value="a"/>\n</OrderResponse>',
    );
    const [first] = resourceIn(answer).issue;
    assert.match(first.diagnostics, /\(line 1, column 1\)$|\(line 2, column 3\)$/);
    const all = resourceIn(answer)
      .issue.map(({ diagnostics }: Draft) => diagnostics)
      .join('\n');
    assert.match(all, /wrong.*\(line 2, column 3\)/);
  });
});
