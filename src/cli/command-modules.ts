/**
 * The commands by their first word, in the order of the help. A run loads the modules of one word,
 * because the modules of all commands take longer to load than a server to start.
 */
import type { Command } from './command.ts';

export const COMMAND_MODULES: ReadonlyMap<string, () => Promise<readonly Command[]>> = new Map([
  ['serve', async () => [(await import('./serve.ts')).serveCommand]],
  ['import', async () => [(await import('./import.ts')).importCommand]],
  ['fetch', async () => [(await import('./fetch.ts')).fetchCommand]],
  ['sync', async () => [(await import('./sync.ts')).syncCommand]],
  ['search', async () => [(await import('./search.ts')).searchCommand]],
  ['show', async () => [(await import('./search.ts')).showCommand]],
  ['export', async () => [(await import('./export.ts')).exportCommand]],
  ['editions', async () => [(await import('./editions.ts')).editionsCommand]],
  ['rollback', async () => [(await import('./rollback.ts')).rollbackCommand]],
  ['token', async () => [(await import('./token.ts')).tokenCommand]],
  ['orders', loadOrders],
  ['audit', async () => [(await import('./audit.ts')).auditCommand]],
  ['backup', async () => [(await import('./backup.ts')).backupCommand]],
  ['restore', async () => [(await import('./restore.ts')).restoreCommand]],
  ['move', async () => [(await import('./move.ts')).moveCommand]],
  ['verify', async () => [(await import('./verify.ts')).verifyCommand]],
  ['database', loadDatabase],
  ['doctor', async () => [(await import('./doctor.ts')).doctorCommand]],
  ['demo', async () => [(await import('./demo.ts')).demoCommand]],
]);

async function loadOrders(): Promise<readonly Command[]> {
  const { ordersExportCommand } = await import('./orders-export.ts');
  const { ordersEraseCommand, ordersHoldCommand, ordersHoldsCommand, ordersReleaseCommand } =
    await import('./orders-erase.ts');
  return [
    ordersExportCommand,
    ordersEraseCommand,
    ordersHoldCommand,
    ordersReleaseCommand,
    ordersHoldsCommand,
  ];
}

async function loadDatabase(): Promise<readonly Command[]> {
  const { databaseConfirmLossesCommand, databaseGrantsCommand, databaseMigrateCommand } =
    await import('./database.ts');
  return [databaseMigrateCommand, databaseGrantsCommand, databaseConfirmLossesCommand];
}
