/** The process: only this file reads its arguments, environment, streams and signals. */
import { fileURLToPath } from 'node:url';
import { keepCompiledCode } from './cli/compile-cache.ts';

keepCompiledCode(process.env);
// The cache contains only modules that are imported after this call.
const { runProgram } = await import('./cli/program.ts');

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    // The second signal ends the process at once.
    if (stop.signal.aborted) process.exit(128 + (signal === 'SIGINT' ? 2 : 15));
    stop.abort(signal);
  });
}
// A program that another one started ends with it. The channel alone does not keep it running.
process.once('disconnect', () => stop.abort('disconnect'));
process.channel?.unref();

process.exitCode = await runProgram(process.argv.slice(2), {
  program: fileURLToPath(import.meta.url),
  environment: process.env,
  streams: { input: process.stdin, output: process.stdout, errors: process.stderr },
  stopped: stop.signal,
  onReload: (reload) => process.on('SIGHUP', reload),
});
