/**
 * Announces each edition of the directory that becomes current to the receivers that the operator
 * names. What each has accepted is stored, so an edition is also announced after a restart.
 */
import { createHash } from 'node:crypto';
import { type Clock, pauseMs } from './clock.ts';
import { signedNotification } from './notification.ts';
import type { DeliveryOutcome, Receivers } from './receivers.ts';

/** Which edition a receiver has. */
export interface ReceiverState {
  /** The number of the edition that it accepted last; 0: none. */
  readonly accepted: number;
  /** The number of the edition that it was sent last, or would be sent if the server had not ended. */
  readonly sent: number;
  /** Grows with each edition that is sent, also if one is sent again after another. */
  readonly turn: number;
}

export interface ReceiverStates {
  /**
   * Runs the action while no other server runs one for this receiver. `known` is undefined for a new
   * receiver; `save` is durable when it resolves. Answers undefined if another server runs one.
   * Rejects as the store does.
   */
  exclusively<Result>(
    receiver: string,
    action: (
      known: ReceiverState | undefined,
      save: (state: ReceiverState) => Promise<void>,
    ) => Promise<Result>,
  ): Promise<Result | undefined>;
}

/** The current edition in the store. */
export interface CurrentEdition {
  readonly number: number;
  /** Whether this server has it: a receiver that asks at once must not get another one. */
  readonly isServed: boolean;
  /** The body of its notification. `previous`: what the receiver accepted last; 0: nothing. */
  body(previous: number): Promise<string>;
}

export interface WebhooksOptions {
  readonly urls: readonly string[];
  /** Signs notifications. Absent: they have no signature. */
  readonly secret: string | undefined;
  readonly states: ReceiverStates;
  readonly receivers: Receivers;
  readonly clock: Clock;
  /** Undefined before the first edition. Rejects as the store does. */
  readonly current: () => Promise<CurrentEdition | undefined>;
  readonly onAccepted: (url: string, edition: number) => void;
  /** Called with each new reason why a receiver did not accept an edition. */
  readonly onProblem: (url: string, problem: string) => void;
}

type Outcome = DeliveryOutcome | { readonly kind: 'nothing-new' } | undefined;

/** For metrics. */
export interface WebhookFacts {
  readonly delivered: number;
  readonly failed: number;
  /** The receivers whose last attempt failed. */
  readonly failing: number;
}

export class Webhooks {
  readonly #options: WebhooksOptions;
  readonly #stopped = new AbortController();
  readonly #counts = { delivered: 0, failed: 0 };
  /** The last problem of each receiver that did not accept the edition. */
  readonly #problems = new Map<string, string>();
  readonly #following: Promise<unknown>;
  #news = Promise.withResolvers<void>();

  constructor(options: WebhooksOptions) {
    this.#options = options;
    this.#following = Promise.all(options.urls.map((url) => this.#follow(url)));
  }

  get facts(): WebhookFacts {
    return { failing: this.#problems.size, ...this.#counts };
  }

  /** Looks for an edition that receivers do not know: this server serves another one now. */
  look(): void {
    this.#news.resolve();
    this.#news = Promise.withResolvers();
  }

  /** Waits for requests that are on their way, but not for long: they are repeated at the next start. */
  async stop(): Promise<void> {
    const { receivers, clock } = this.#options;
    this.#stopped.abort();
    this.look();
    const waiting = new AbortController();
    await Promise.race([this.#following, clock.sleep(STOP_MS, waiting.signal)]);
    waiting.abort();
    receivers.close();
    await this.#following;
  }

  async #follow(url: string): Promise<void> {
    const { clock } = this.#options;
    const { signal } = this.#stopped;
    let failures = 0;
    while (!signal.aborted) {
      const { promise: news } = this.#news;
      const result = await this.#announce(url).catch(failureOf);
      if (result === undefined) await clock.sleep(OTHER_SERVER_MS, signal);
      else if (result.kind === 'failed') {
        this.#note(url, result.problem);
        failures += 1;
        await clock.sleep(pauseMs(failures, result.retryAfterMs, clock.random), signal);
      } else {
        if (result.kind === 'gone') this.#options.onProblem(url, result.problem);
        this.#problems.delete(url);
        failures = 0;
        await news;
      }
    }
  }

  /** Undefined while another server sends to this receiver. Rejects as the store does. */
  async #announce(url: string): Promise<Outcome> {
    const { states, current, secret, receivers, clock, onAccepted } = this.#options;
    const receiver = createHash('sha256').update(url).digest('hex');
    return await states.exclusively<Outcome>(receiver, async (known, save) => {
      const edition = await current();
      const number = edition?.number ?? 0;
      // A new receiver gets what becomes current from now on.
      const state = known ?? { accepted: number, sent: number, turn: 0 };
      if (known === undefined) await save(state);
      const isKnown = state.accepted === number && state.sent === number;
      if (edition?.isServed !== true || isKnown || this.#stopped.signal.aborted) return NOTHING_NEW;
      const isRepeat = state.sent === number;
      const sending = isRepeat ? state : { ...state, sent: number, turn: state.turn + 1 };
      // Before it is sent: otherwise the receiver would not learn of a rollback after a kill.
      if (!isRepeat) await save(sending);
      const { headers, body } = signedNotification(
        { name: `${receiver} ${sending.turn} ${number}`, resource: `editions/${number}` },
        { type: 'application/json', text: await edition.body(state.accepted) },
        secret,
        clock.now(),
      );
      const outcome = await receivers.post(url, headers, body);
      this.#counts[outcome.kind === 'delivered' ? 'delivered' : 'failed'] += 1;
      // A receiver that answers 410 does not want this edition; the next one is a new question.
      if (outcome.kind !== 'failed') await save({ ...sending, accepted: number });
      if (outcome.kind === 'delivered') onAccepted(url, number);
      return outcome;
    });
  }

  #note(url: string, problem: string): void {
    if (this.#problems.get(url) !== problem) this.#options.onProblem(url, problem);
    this.#problems.set(url, problem);
  }
}

const NOTHING_NEW = { kind: 'nothing-new' } as const;
const STOP_MS = 5_000;

/** The other server needs as long as its receiver. */
const OTHER_SERVER_MS = 2_000;

function failureOf(error: unknown): DeliveryOutcome {
  const problem = error instanceof Error ? error.message : String(error);
  return { kind: 'failed', problem, retryAfterMs: 0 };
}
