/** A real issuer on this machine, for tests: signed and opaque tokens, keys, introspection. */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { TestContext } from 'node:test';
import { Provider } from 'oidc-provider';
import { listenOnLoopback } from '../loopback.ts';

type TokenForm = 'jwt' | 'opaque';

export interface Issuer {
  /** Its `iss`. */
  readonly url: string;
  readonly jwksUrl: string;
  readonly introspectionUrl: string;
  readonly introspectionClient: string;
  readonly introspectionSecret: string;
  /** A token for a service: a JWT, or opaque. */
  tokenFor(audience: string, form: TokenForm, scope: string): Promise<string>;
  revoke(token: string): Promise<void>;
  stop(): Promise<void>;
}

export async function startIssuer(context: TestContext): Promise<Issuer> {
  const server = createServer();
  const port = await listenOnLoopback(server);
  const stop = async () => {
    if (!server.listening) return;
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  context.after(stop);
  const url = `http://127.0.0.1:${port}`;
  let form: TokenForm = 'jwt';
  server.on('request', createProvider(url, () => form).callback());

  const post = async (path: string, parameters: Record<string, string>) => {
    const credentials = Buffer.from(
      `ordering:${encodeURIComponent(secretOf('ordering'))}`,
    ).toString('base64');
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { Authorization: `Basic ${credentials}` },
      body: new URLSearchParams(parameters),
    });
    assert.equal(response.status, 200, response.ok ? path : await response.text());
    return response;
  };

  return {
    url,
    jwksUrl: `${url}/jwks`,
    introspectionUrl: `${url}/token/introspection`,
    introspectionClient: 'gazetteer',
    introspectionSecret: secretOf('gazetteer'),
    async tokenFor(resource, wanted, scope) {
      form = wanted;
      const grant = { grant_type: 'client_credentials', resource, scope };
      const { access_token: token } = (await (await post('/token', grant)).json()) as {
        access_token: string;
      };
      return token;
    },
    async revoke(token) {
      await post('/token/revocation', { token });
    },
    stop,
  };
}

/** Issues tokens to the client `ordering`, and answers questions of the client `gazetteer`. */
function createProvider(url: string, formOf: () => TokenForm): Provider {
  return new Provider(url, {
    clients: ['ordering', 'gazetteer'].map((id) => ({
      client_id: id,
      client_secret: secretOf(id),
      grant_types: ['client_credentials'],
      redirect_uris: [],
      response_types: [],
      id_token_signed_response_alg: 'ES256',
    })),
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      introspection: { enabled: true, allowedPolicy: () => true },
      revocation: { enabled: true, allowedPolicy: () => true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_, resource) => ({
          scope: SCOPES,
          audience: resource,
          accessTokenFormat: formOf(),
          accessTokenTTL: 600,
          jwt: { sign: { alg: 'ES256' } },
        }),
      },
    },
    scopes: SCOPES.split(' '),
    jwks: {
      keys: [
        {
          ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
            format: 'jwk',
          }),
          alg: 'ES256',
          use: 'sig',
        },
      ],
    },
  });
}

function secretOf(client: string): string {
  return `secret of ${client}`;
}

const SCOPES = 'system/OrderResponse.read system/OrderResponse.write patient/OrderResponse.read';
