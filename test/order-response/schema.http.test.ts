/** Whatever is answered in XML is valid for the official schema of DSTU2. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { BASE, EXAMPLE, EXAMPLE_XML, startOrders, XML_TYPE } from './order-server.ts';
import { schemaErrors } from './schema-errors.ts';

const SCRIPT =
  '<text><status value="generated"/>' +
  '<div xmlns="http://www.w3.org/1999/xhtml"><script>a</script></div></text>';

it('outcomes, resources, histories and the Conformance are valid for the schema of DSTU2', async () => {
  const server = await startOrders();
  const documents: string[] = [];
  const roots: string[] = [];
  const headers = { 'content-type': XML_TYPE, accept: XML_TYPE };
  const send = async (status: number, method: string, path: string, body?: string, more = {}) => {
    const answer = await server.send(method, path, { ...headers, ...more }, body);
    assert.equal(answer.status, status, answer.text);
    documents.push(answer.text);
    roots.push(/^(?:<\?xml[^>]*\?>\s*)?<(\w+)/.exec(answer.text)?.[1] ?? '');
    return answer.headers.get('content-location')?.slice(BASE.length + 1) ?? '';
  };
  try {
    const profiled = EXAMPLE_XML.replace(
      '<contained>',
      '<meta><profile value="urn:a&amp;b"/></meta><contained>',
    );
    const version = await send(201, 'POST', 'OrderResponse', profiled);
    const item = version.replace(/\/_history.*/, '');
    await send(200, 'GET', version);
    await send(200, 'GET', item);
    await send(200, 'GET', `${item}?_pretty=true`);
    const id = item.split('/')[1];
    const update = EXAMPLE_XML.replace('<contained>', `<id value="${id}"/><contained>`);
    await send(200, 'PUT', item, update);
    await send(201, 'POST', 'OrderResponse', EXAMPLE_XML, { prefer: 'return=representation' });
    for (const query of ['', '?_count=1', '?_pretty=true', '?_since=2999-01-01T00:00:00Z']) {
      await send(200, 'GET', `${item}/_history${query}`);
    }
    await send(200, 'GET', 'metadata');
    await send(200, 'GET', 'metadata?_pretty=true');
    const many = Array.from({ length: 250 }, () => '<name><use value="a"/></name>').join('');
    await send(400, 'POST', 'OrderResponse', EXAMPLE_XML.replace('<gender', `${many}<gender`));
    await send(400, 'POST', 'OrderResponse', '<a\u0001>&<');
    await send(400, 'POST', 'OrderResponse', JSON.stringify(EXAMPLE));
    await send(400, 'POST', 'OrderResponse?_format=%00%ff"<');
    await send(401, 'GET', item, undefined, { authorization: '' });
    await send(403, 'GET', item, undefined, { authorization: 'Bearer writer' });
    await send(404, 'GET', 'OrderResponse/%01%22%3C');
    await send(404, 'GET', `${item}/_history/%00`);
    await send(405, 'DELETE', item);
    await send(405, 'PUT', 'OrderResponse/x', update.replace(`"${id}"`, '"x"'));
    await send(406, 'GET', item, undefined, { accept: 'image/png' });
    await send(409, 'PUT', item, update, { 'if-match': 'W/"1"' });
    await send(412, 'PUT', 'OrderResponse/x', update.replace(`"${id}"`, '"x"'), {
      'if-match': '*',
    });
    const scripted = EXAMPLE_XML.replace('<contained>', `${SCRIPT}<contained>`);
    await send(422, 'POST', 'OrderResponse', scripted);
    await send(413, 'POST', 'OrderResponse', 'a'.repeat(70_000));
    await send(415, 'POST', 'OrderResponse', 'a', { 'content-type': 'text/plain' });
  } finally {
    await server.close();
  }
  assert.deepEqual(await schemaErrors(documents), []);
  assert.deepEqual([...new Set(roots)].toSorted(), [
    'Bundle',
    'Conformance',
    'OperationOutcome',
    'OrderResponse',
  ]);
});
