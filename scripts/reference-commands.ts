/**
 * The notes on commands of the reference, after their options: what `--help` does not say. In Markdown.
 */
const NOTES: Readonly<Record<string, string>> = {
  serve: `Only one server can use a data folder at a time.

- Without an edition, reads and searches of the directory get 503.
- The server switches to a new edition between two requests. If it cannot load it, it keeps the current one, and tries again.
- If data is damaged, the port is taken, or another server uses the folder, it prints one line and exits. On a full or read-only disk, it serves the directory only.
- It replaces a failed thread within a second, and [logs](logs.md) the cause.`,
  import: `See [Import a release](../how-to/import-a-release.md) and [Imports](import.md).`,
  'import-postcodes': `The JSON has \`source\`, \`form\` (\`onspd\` or \`code-point-open\`), \`importedAt\`, the numbers \`postcodes\`, \`terminated\` and \`withoutPosition\`, and \`seconds\`. See [Use postcodes](../how-to/use-postcodes.md).`,
  fetch: `See [Fetches](import.md#fetches).`,
  sync: `See [Sync with a peer](../how-to/sync-with-a-peer.md).`,
  search: `If no active organisation matches, it prints inactive ones. If nothing matches, the exit code is 1.`,
  near: `It needs [postcodes](../how-to/use-postcodes.md). The JSON has \`kilometres\`, \`code\`, \`name\`, \`role\`, \`town\` and \`postcode\`. See [Near a place](search-parameters.md#near-a-place).`,
  export: `\`--format\` is required. The command refuses parameters that affect only HTTP answers, such as \`_count\`. The matches are in the order of codes; with \`near\`, the nearest first, and \`csv\` and \`geojson\` have \`kilometres\`.

- \`ndjson\` and \`bundle\`: you can import them again. Entries have a \`fullUrl\` if \`baseUrl\` is set.
- \`csv\`: an apostrophe stands before a cell that begins with \`=\`, \`+\`, \`-\` or \`@\`, so that no spreadsheet interprets it as a formula.
- \`csv\` with \`--with relationships\`: also the codes of the region (\`nationalGrouping\`) and of the integrated care board (\`healthGeography\`) that each organisation [belongs to](../explanation/belonging.md), of those that it has relationships to, by type, and of predecessors and successors. Spaces separate several codes in a cell. A relationship counts if it is in force on the day of the export (in England), by its operational dates, or else its legal dates.
- \`epraccur\`: the [report](reports-api.md#columns) of this name, as it was published until 2025, of the matches.
- \`release-xml\`: see [Fields of a release](import.md#fields-of-a-release).

\`epraccur\` and relationships need an edition with relationships.`,
  report: `The file has the bytes of [\`getReport\`](reports-api.md), and with \`--former\` those of the file in the zip. A report that the release has no data for comes from \`directory.reports\`. Most reports need an edition with relationships.`,
  resolve: `See [Which code replaced another](codes.md#which-code-replaced-another).`,
  hierarchy: `See [What an organisation belongs to](codes.md#what-an-organisation-belongs-to).`,
  match: `Write a name of several words in quotation marks. See [Which code a name means](codes.md#which-code-a-name-means).`,
  postcodes: `See [Where a postcode is](codes.md#where-a-postcode-is).`,
  roles: `Roles without organisations are listed too. See [Which roles there are](codes.md#which-roles-there-are).`,
  events: `See [What happened](events.md).`,
  rollback: `The command first checks the files of the edition, and then publishes their content as a new edition.`,
  token: `\`data\` must be that of the server. \`--expires\` is at most \`366d\`. The command fails if the settings accept only tokens of an issuer. See [Set up tokens](../how-to/set-up-tokens.md).`,
  'orders export': `The export has the versions that were stored when it began; the audit log records it. To continue an earlier export, set \`--since\` to the \`meta.lastUpdated\` of its last line, which the new export repeats.`,
  'orders erase': `See [Erase order responses](../how-to/erase-order-responses.md). The exit code is 1 if the write-ahead log may still have the content.`,
  audit: `See [Read and verify the audit log](../how-to/verify-the-audit-log.md).`,
  backup: `**The file contains patient data and keys**, and not the directory. It has at most 100 recipients; SSH keys and passphrases are not supported. See [Back up and restore](../how-to/back-up-and-restore.md).`,
  restore: `Stop the server of the folder first. The command checks the backup as \`verify\` does. If it is damaged, or if the restore would overwrite something, nothing changes.

Identities of plugins, identity files with a passphrase, and armored backups are not supported: decrypt with \`age --decrypt\`, and restore the result without \`--identity\`.`,
  move: `The command checks the source and the copy as \`verify\` does, and does not change the source. If it fails, it removes what it has written. If it was killed, run it again: if it then says that the place of \`--to\` has data already, check that place with \`verify\`, and use it if it is sound; otherwise empty it, and move again. The audit log gets another [head](../how-to/verify-the-audit-log.md#keep-the-audit-head). See [Move the data to a database](../how-to/move-to-a-database.md).`,
  verify: `The command checks every byte of the editions, the rows of both databases, and the [chain of the audit log](storage.md#the-chain). It also prints the audit head. The exit code is 1 if any data differs from what was written, is missing, or could not be checked: the last line says which. The disk need not be writable. It cannot see that \`postcodes.bin\` or \`practitioners.bin\` was lost, or \`orders.db\` together with \`audit.key\`; without \`orders.db-wal\`, the newest order responses can be missing. \`--head\` shows such losses of order responses. While it runs beside a server, \`orders.db-wal\` grows with each write. See [Read and verify the audit log](../how-to/verify-the-audit-log.md).`,
  'database migrate': `A migration is one transaction. A server creates the tables of an empty database itself, if its user has the right to.`,
  'database grants': `The command does not connect to the database. Create the roles first. Run its output as a superuser (or as the owner of the tables, with the admin option on the role of the servers) after each \`gazetteer database migrate\`: \`gazetteer database grants | psql gazetteer\`.`,
  'database confirm-losses': `See [What to know](database.md#what-to-know) about the database.`,
  doctor: `Run it with the settings and as the user of the server. Each line begins with \`ok\`, \`warning\` or \`error\`; after an error, the exit code is 1. It prints no password and no key.`,
  mcp: `It reads the edition that is current when it starts. See [Connect an assistant](../how-to/connect-an-assistant.md).`,
  completion: `The program must be in \`PATH\` as \`gazetteer\`. Add a line to the file that your shell reads at its start:

- bash: \`source <(gazetteer completion bash)\`
- zsh, after \`compinit\`: \`source <(gazetteer completion zsh)\`
- fish: \`gazetteer completion fish | source\`

Each completion starts the program, which takes a part of a second.`,
  demo: `Of the variables of settings, it uses only \`GAZETTEER_HOST\` and \`GAZETTEER_PORT\`.`,
};

/** By the name of the command. */
export const COMMAND_NOTES: ReadonlyMap<string, string> = new Map(Object.entries(NOTES));
