/** The migrations of the tables of the directory, in the order of the versions. */

/** The second schema: the editions of the directory, their data, and which of them is current. */
export const createEditionTables = `
-- One row for every edition ever published. Rows are never removed, so no number is used twice.
CREATE TABLE edition (
  number            int    PRIMARY KEY,     -- 1 and up, without gaps
  content           uuid   NOT NULL UNIQUE, -- names its data in edition_chunk
  publication_date  text   NOT NULL, -- of its source: YYYY-MM-DD
  source            text   NOT NULL, -- a label for people: the name of the imported file
  records           int    NOT NULL, -- how many organisations it has
  imported_at       text   NOT NULL, -- when its import began: ISO 8601, UTC
  published_at      text   NOT NULL, -- when it first became current
  manifest_checksum bigint NOT NULL, -- CRC-32 of its manifest.json, which has those of the files
  pruned_at         text,            -- when its data was removed; null while it can be loaded
  compared_to       int    REFERENCES edition, -- the edition that its difference is to
  added             int    NOT NULL, -- how many records that one does not have
  changed           int    NOT NULL, -- how many records differ
  removed           int    NOT NULL, -- how many only that one has
  checksum          bigint NOT NULL  -- CRC-32 of the row
);

-- The details of the difference. They stay when the data of the edition is removed.
CREATE TABLE edition_difference (
  edition  int    NOT NULL REFERENCES edition,
  kind     text   NOT NULL CHECK (kind IN ('added', 'changed', 'removed', 'by-role')),
  content  bytea  NOT NULL, -- codes, ascending, one a line; by-role: JSON. Compressed with zlib
  checksum bigint NOT NULL, -- CRC-32 of the row
  PRIMARY KEY (edition, kind)
);
ALTER TABLE edition_difference ALTER COLUMN content SET STORAGE EXTERNAL;

-- Each time that an edition became current. The edition of the last row is current now.
CREATE TABLE publication (
  id           int    PRIMARY KEY, -- 1 and up, without gaps
  edition      int    NOT NULL REFERENCES edition,
  published_at text   NOT NULL, -- ISO 8601, UTC
  checksum     bigint NOT NULL  -- CRC-32 of the row
);

-- The files of editions. Chunks of no edition belong to an import that runs or was interrupted.
CREATE TABLE edition_chunk (
  content uuid  NOT NULL,
  file    text  COLLATE "C" NOT NULL, -- manifest.json, or the name of an array and .bin
  part    int   NOT NULL, -- from 0
  bytes   bytea NOT NULL, -- 1 MiB, or less at the end of the file
  PRIMARY KEY (content, file, part)
);
ALTER TABLE edition_chunk ALTER COLUMN bytes SET STORAGE EXTERNAL;
`;

/** The fourth schema: the state of fetches, which one server makes for all. */
export const createFetchState = `
CREATE TABLE fetch_state (
  name       text        PRIMARY KEY CHECK (name IN ('sources', 'planned')),
  content    text        NOT NULL, -- JSON
  written_at timestamptz NOT NULL DEFAULT now()
);
`;

/** The sixth schema: the postcodes that the operator imported last. */
export const createPostcodes = `
-- The bytes of one file of postcodes, cut into parts. There is never more than one version.
CREATE TABLE postcode_part (
  version text  NOT NULL,
  part    int   NOT NULL, -- from 0
  bytes   bytea NOT NULL,
  PRIMARY KEY (version, part)
);
`;

/** The eighth schema: which edition each receiver of webhooks has. */
export const createWebhookStates = `
CREATE TABLE webhook_state (
  receiver text COLLATE "C" PRIMARY KEY, -- SHA-256 of its URL, which can contain a secret
  accepted int  NOT NULL, -- the number of the edition that it accepted last; 0: none
  sent     int  NOT NULL, -- the number of the edition that it was sent last
  turn     int  NOT NULL  -- counts the editions that were sent
);
`;

/** The ninth schema: the practitioners that the operator imported last. */
export const createPractitioners = `
-- The bytes of the practitioners of one import, cut into parts. There is never more than one version.
CREATE TABLE practitioner_part (
  version text  NOT NULL,
  part    int   NOT NULL, -- from 0
  bytes   bytea NOT NULL,
  PRIMARY KEY (version, part)
);
`;
