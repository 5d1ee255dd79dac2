/** The third schema: the public keys of the tokens that all servers of the database accept. */

export const createTokenKeys = `
CREATE TABLE token_key (
  issuer     text        PRIMARY KEY, -- the iss and aud of its tokens: urn:uuid:…
  public_key text        NOT NULL,    -- JWK
  host       text        NOT NULL,    -- the machine that has the private half
  added_at   timestamptz NOT NULL DEFAULT now(),
  revoked_at timestamptz              -- its tokens are rejected from then on
);
`;
