/** The fourth schema: the state of fetches, which one server makes for all. */

export const createFetchState = `
CREATE TABLE fetch_state (
  name       text        PRIMARY KEY CHECK (name IN ('sources', 'planned')),
  content    text        NOT NULL, -- JSON
  written_at timestamptz NOT NULL DEFAULT now()
);
`;
