/** A load generator in a separate process. It runs each load that its parent sends. */
import { type Load, runLoad } from './load.ts';

process.on('message', async (load: Load) => {
  const before = process.cpuUsage();
  const result = await runLoad(load);
  const { user, system } = process.cpuUsage(before);
  process.send?.({ ...result, cpuSeconds: (user + system) / 1e6 });
});
