/** A program that keeps compiled code as `src/main.ts` does, and loads one module instead of all. */
import { keepCompiledCode } from '../../src/cli/compile-cache.ts';

keepCompiledCode(process.env);
await import('../../src/config/version.ts');
