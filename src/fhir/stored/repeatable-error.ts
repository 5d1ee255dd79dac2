/** An error that can end in a moment: the request then runs again. */
import { FhirError } from '../service/fhir-error.ts';
import type { MaybePromise } from '../service/interaction.ts';

export class RepeatableError extends FhirError {
  /** Resolves when the request can run again. It then ends in this error, or succeeds. */
  readonly ready: Promise<void>;

  constructor({ issues, headers }: FhirError, ready: Promise<void>) {
    super(issues, headers);
    this.ready = ready;
  }
}

/** Runs an action, and runs it again when its `RepeatableError` is over. */
export function runRepeatable<Context, Result>(
  run: (context: Context) => MaybePromise<Result>,
  context: Context,
): MaybePromise<Result> {
  try {
    return run(context);
  } catch (error) {
    if (error instanceof RepeatableError) return error.ready.then(() => run(context));
    throw error;
  }
}
