/** How many actions run at a time; or requests, of which a slow one soon lets others begin. */

/** A request that takes longer no longer counts, so that slow receivers do not hold up others. */
const HOLD_MS = 1_000;

export class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(max: number) {
    this.#free = max;
  }

  /** Resolves when there is a free slot, and takes it. */
  async take(): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    await promise;
  }

  give(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }

  /** Runs an action that holds a slot until its end. */
  async use<Result>(action: () => Promise<Result>): Promise<Result> {
    await this.take();
    try {
      return await action();
    } finally {
      this.give();
    }
  }

  /** Gives the slot back when the request ends, or after a moment. */
  async during<Result>(request: Promise<Result>): Promise<Result> {
    let isHeld = true;
    const give = () => {
      if (isHeld) this.give();
      isHeld = false;
    };
    const timer = setTimeout(give, HOLD_MS);
    try {
      return await request;
    } finally {
      clearTimeout(timer);
      give();
    }
  }
}
