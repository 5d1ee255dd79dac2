/** Clients find the issuer of tokens: in a document, and in the capability statement. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DSTU2, STU3 } from '../../src/fhir/definitions/fhir-version.ts';
import { decodeJson } from '../../src/fhir/format/json.ts';
import { createHandle } from '../../src/fhir/handle.ts';
import type { TokenIssuer } from '../../src/fhir/service/interaction.ts';
import { capabilityStatement } from '../../src/fhir/statement/capabilities.ts';
import { withTokenIssuer } from '../../src/fhir/statement/smart-configuration.ts';
import { createDirectoryService } from '../../src/interfaces/service.ts';
import { createOrderService } from '../../src/orders/order-response/service.ts';
import {
  SETTINGS as DIRECTORY_SETTINGS,
  SOFTWARE,
  servedStu3,
} from '../directory/directory-server.ts';
import { createMemoryRepository } from '../storage/memory-repository.ts';
import { BASE, SETTINGS } from './order-server.ts';

const ISSUER = {
  issuer: 'https://issuer.example',
  tokenUrl: 'https://issuer.example/token',
  jwksUrl: 'https://issuer.example/keys',
};

const authorize = () => ({ subject: 'a' });

function servicesOf(issuer: TokenIssuer | undefined, isDirectorySecured = false) {
  const editions = { current: () => undefined, byNumber: () => undefined };
  const directory = createDirectoryService(servedStu3(DIRECTORY_SETTINGS, BASE), editions);
  const orders = createOrderService({
    settings: { ...SETTINGS, allowDelete: true },
    serverUrl: BASE,
    store: createMemoryRepository(),
    authorize,
    newId: () => 'a',
  });
  const secured = isDirectorySecured ? { ...directory, authorize } : directory;
  return withTokenIssuer([secured, orders], issuer);
}

async function documentOf(issuer: TokenIssuer | undefined, isDirectorySecured = false) {
  const handle = createHandle({
    services: servicesOf(issuer, isDirectorySecured),
    software: SOFTWARE,
    onFault: (error) => {
      throw error;
    },
  });
  const path = '/base/.well-known/smart-configuration';
  const response = await handle({ method: 'GET', path, query: '', headers: {}, id: '1' });
  const bytes = await Array.fromAsync<Uint8Array>(response.pieces ?? []);
  return { status: response.status, text: Buffer.concat(bytes).toString() };
}

const securityOf = (issuer: TokenIssuer | undefined, at: number) => {
  const service = servicesOf(issuer, true)[at];
  assert.ok(service);
  const statement = JSON.parse(JSON.stringify(capabilityStatement(service, SOFTWARE)));
  const { definitions } = at === 0 ? STU3 : DSTU2;
  const { findings } = decodeJson(Buffer.from(JSON.stringify(statement)), definitions);
  assert.deepEqual(findings, []);
  return statement.rest[0].security;
};

describe('the issuer of tokens', () => {
  it('is named in the document of SMART, with the scopes', async () => {
    const { status, text } = await documentOf(ISSUER);
    assert.equal(status, 200);
    assert.deepEqual(JSON.parse(text), {
      issuer: 'https://issuer.example',
      token_endpoint: 'https://issuer.example/token',
      jwks_uri: 'https://issuer.example/keys',
      grant_types_supported: ['client_credentials'],
      scopes_supported: [
        'system/OrderResponse.read',
        'system/OrderResponse.write',
        'system/AuditEvent.read',
      ],
      capabilities: ['permission-v1'],
    });
    const both = JSON.parse((await documentOf({ issuer: 'urn:issuer' }, true)).text);
    assert.equal(both.scopes_supported[0], 'system/Organization.read');
    assert.deepEqual([both.issuer, both.token_endpoint], ['urn:issuer', undefined]);
  });

  it('is named in the capability statement of each service that asks for tokens', () => {
    for (const at of [0, 1]) {
      const { extension, description } = securityOf(ISSUER, at);
      assert.match(description, /The issuer of tokens is https:\/\/issuer\.example\. Get one at /);
      assert.match(description, /http:\/\/orders\.test\/base\/\.well-known\/smart-configuration/);
      assert.deepEqual(extension[0].extension, [
        { url: 'token', valueUri: 'https://issuer.example/token' },
      ]);
      const unknown = securityOf({ issuer: 'urn:issuer' }, at);
      assert.equal(unknown.extension, undefined);
      assert.match(unknown.description, /The issuer of tokens is urn:issuer\. See /);
    }
  });

  it('is not named if there is none', async () => {
    assert.equal((await documentOf(undefined)).status, 404);
    assert.doesNotMatch(securityOf(undefined, 1).description, /issuer/);
    assert.equal(servicesOf(ISSUER)[0]?.tokenIssuer, undefined);
  });
});
