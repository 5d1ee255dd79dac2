/**
 * The commands by their first word, in the order of the help. A run loads the modules of one word,
 * because the modules of all commands take longer to load than a server to start.
 */
import type { Command } from './parts/command.ts';

export const COMMAND_MODULES: ReadonlyMap<string, () => Promise<readonly Command[]>> = new Map([
  ['serve', async () => [(await import('./serve/serve.ts')).serveCommand]],
  ['import', async () => [(await import('./commands/import.ts')).importCommand]],
  [
    'import-postcodes',
    async () => [(await import('./commands/import-postcodes.ts')).importPostcodesCommand],
  ],
  [
    'import-practitioners',
    async () => [
      (await import('./practitioners/import-practitioners.ts')).importPractitionersCommand,
    ],
  ],
  ['fetch', async () => [(await import('./commands/fetch.ts')).fetchCommand]],
  ['sync', async () => [(await import('./commands/sync.ts')).syncCommand]],
  ['search', async () => [(await import('./commands/search.ts')).searchCommand]],
  ['near', async () => [(await import('./commands/near.ts')).nearCommand]],
  ['show', async () => [(await import('./commands/search.ts')).showCommand]],
  ['export', async () => [(await import('./commands/export.ts')).exportCommand]],
  ['report', async () => [(await import('./commands/report.ts')).reportCommand]],
  ['resolve', async () => [(await import('./commands/questions.ts')).resolveCommand]],
  ['hierarchy', async () => [(await import('./commands/questions.ts')).hierarchyCommand]],
  ['match', async () => [(await import('./commands/questions.ts')).matchCommand]],
  ['postcodes', async () => [(await import('./commands/questions.ts')).postcodesCommand]],
  [
    'practitioner',
    async () => [(await import('./practitioners/practitioner.ts')).practitionerCommand],
  ],
  ['roles', async () => [(await import('./commands/questions.ts')).rolesCommand]],
  ['events', async () => [(await import('./commands/events.ts')).eventsCommand]],
  ['editions', async () => [(await import('./commands/editions.ts')).editionsCommand]],
  ['rollback', async () => [(await import('./commands/editions.ts')).rollbackCommand]],
  ['token', async () => [(await import('./commands/token.ts')).tokenCommand]],
  ['orders', async () => (await import('./commands/orders.ts')).ORDERS_COMMANDS],
  [
    'subscriptions',
    async () => (await import('./subscriptions/subscription-commands.ts')).SUBSCRIPTION_COMMANDS,
  ],
  ['audit', async () => [(await import('./commands/audit.ts')).auditCommand]],
  ['backup', async () => [(await import('./commands/backup.ts')).backupCommand]],
  ['restore', async () => [(await import('./commands/backup.ts')).restoreCommand]],
  ['move', async () => [(await import('./commands/move.ts')).moveCommand]],
  ['verify', async () => [(await import('./commands/verify.ts')).verifyCommand]],
  ['database', async () => (await import('./commands/database.ts')).DATABASE_COMMANDS],
  ['doctor', async () => [(await import('./doctor/doctor.ts')).doctorCommand]],
  ['mcp', async () => [(await import('./mcp/mcp.ts')).mcpCommand]],
  ['completion', async () => [(await import('./completion/completion.ts')).completionCommand]],
  ['demo', async () => [(await import('./commands/demo.ts')).demoCommand]],
]);
