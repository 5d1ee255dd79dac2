/** Makes V8 compile `process.nextTick` to fast code. Node calls it several times for each request. */

/**
 * Call this when a server thread starts. Otherwise V8 usually compiles `nextTick` after the start,
 * with generic stores that it never replaces. They take up to a tenth of the CPU time of a read:
 * `npm run bench:profile -- read-json` shows them as `nextTick`. The calls take about 1 ms.
 *
 * Each call starts the next one. If many calls waited while V8 collects garbage, V8 would learn that
 * such calls live long, and would create all later calls in its old space. There, a call that has
 * run keeps its request and its answer in memory until V8 collects the whole heap.
 */
export function compileNextTick(): void {
  let calls = 0;
  const call = (): void => {
    calls += 1;
    if (calls < CALLS) process.nextTick(call);
  };
  call();
}

/** V8 compiles a function after a few hundred calls. */
const CALLS = 3000;
