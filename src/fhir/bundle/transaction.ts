/**
 * Runs a transaction: all entries succeed, or nothing is stored.
 * https://hl7.org/fhir/DSTU2/http.html#transaction
 */

import { FINDINGS_MAX } from '../format/findings.ts';
import { isWithin } from '../format/limits.ts';
import { isResource } from '../format/resource.ts';
import { FhirError, type Issue } from '../request/fhir-error.ts';
import type { FhirResponse } from '../request/request.ts';
import { answerFailure } from '../service/failure.ts';
import type { ServedType, Service, TypeContext } from '../service/interaction.ts';
import { handOver, recordRefusal } from '../service/refused-access.ts';
import { NO_BODY, readResourceBody } from '../service/resource-body.ts';
import { authorize } from '../service/run-interaction.ts';
import { storedTypeOf } from '../service/stored-resource.ts';
import type { MovedResource } from '../stored/match.ts';
import type { TransactionResult } from '../stored/repository.ts';
import type { AnswerRoom } from './answer-room.ts';
import { receivedOf, startEach } from './batch.ts';
import { CANCELLED, CollectedCalls } from './collected-calls.ts';
import { entryForm, entryRequest, namedError } from './entry-request.ts';
import { type Plan, planTransaction } from './plan.ts';
import type { ResolvedEntry, SentEntry } from './sent-bundle.ts';

/** The answers in the order of the entries. Throws one error if any entry fails. */
export async function runTransaction(
  context: TypeContext,
  service: Service,
  entries: readonly SentEntry[],
  room: AnswerRoom,
): Promise<readonly FhirResponse[]> {
  const plan = planTransaction(context, entries);
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const answers = await new Attempt(context, service, plan, room).run();
    if (answers !== undefined) return entries.flatMap((entry) => answers.get(entry) ?? []);
  }
  // The repository has recorded none of the attempts.
  context.isHandedOver = false;
  throw CHANGING;
}

/** The most attempts, if the resources that conditions find keep changing. */
const ATTEMPTS_MAX = 5;

const CHANGING = FhirError.of(
  'conflict',
  'Other clients are changing the resources that ifNoneExist finds. Nothing was stored. Send the transaction again.',
);

/** The interaction of an entry, from its start to its answer. */
interface Run {
  readonly entry: SentEntry;
  readonly context: TypeContext;
  /** Settles at the call of the repository, or when the interaction ends without one. */
  readonly begun: Promise<void>;
  readonly ended: Promise<FhirResponse | undefined>;
  error: unknown;
}

type Failed = Extract<TransactionResult, { kind: 'failed' }>;

class Attempt {
  readonly #context: TypeContext;
  readonly #service: Service;
  readonly #plan: Plan;
  readonly #room: AnswerRoom;
  readonly #collected: CollectedCalls;

  constructor(context: TypeContext, service: Service, plan: Plan, room: AnswerRoom) {
    this.#context = context;
    this.#service = service;
    this.#plan = plan;
    this.#room = room;
    const { repository } = storedTypeOf(context.type);
    this.#collected = new CollectedCalls(repository, plan.ordered, room);
  }

  /** Undefined if the transaction has to be tried again with other addresses. */
  async run(): Promise<ReadonlyMap<SentEntry, FhirResponse> | undefined> {
    const runs = await startEach(this.#plan.ordered, (entry) => this.#start(entry));
    await Promise.all(runs.map(({ begun }) => begun));
    await this.#requireNone(runs);
    const result = await this.#transact(runs);
    switch (result.kind) {
      case 'done':
        await this.#collected.commit(result.answers);
        return this.#answers(runs);
      case 'failed':
        this.#collected.calls[result.at]?.answer.resolve(result.answer);
        this.#collected.cancel();
        await Promise.all(runs.map(({ ended }) => ended));
        await this.#requireNone(runs);
        throw await this.#conditionalError(result);
      case 'moved':
        this.#collected.cancel();
        for (const moved of result.resources) this.#move(moved);
        return undefined;
    }
  }

  #move(moved: MovedResource): void {
    const { calls } = this.#collected;
    const call = calls[moved.at];
    if (call !== undefined) this.#plan.move(call.entry, moved);
    else this.#plan.conditional.move(moved.at - calls.length, moved.id);
  }

  async #conditionalError({ at, answer }: Failed): Promise<FhirError> {
    if (answer.kind !== 'findMatch') throw new Error('an entry failed without an error');
    const own = at - this.#collected.calls.length;
    return this.#plan.conditional.refusalOf(own, answer.value, this.#context);
  }

  /** From here on, the repository records the accesses. */
  async #transact(runs: readonly Run[]): Promise<TransactionResult> {
    this.#context.isHandedOver = true;
    const calls = this.#collected.calls.map(({ entry, call }) => {
      const expected = this.#plan.expected(entry);
      return expected === undefined ? call : { ...call, expected };
    });
    const accessOf = (entry: SentEntry) => {
      const run = runs.find((each) => each.entry === entry);
      return handOver(run?.context ?? this.#context);
    };
    const searches = this.#plan.conditional.calls(accessOf);
    try {
      return await storedTypeOf(this.#context.type).repository.transact([...calls, ...searches]);
    } catch (error) {
      this.#collected.cancel();
      throw error;
    }
  }

  #start(entry: SentEntry): Run {
    const begun = Promise.withResolvers<void>();
    const resolved = this.#plan.resolved(entry);
    const context = this.#contextOf(entry, resolved, begun.resolve);
    const end = async () => {
      try {
        const answer = await this.#interact(context, entry, resolved);
        return this.#room.keep(answer, entry.method);
      } catch (error) {
        run.error = error;
        return undefined;
      } finally {
        begun.resolve();
      }
    };
    const run: Run = { entry, context, begun: begun.promise, ended: end(), error: undefined };
    return run;
  }

  #contextOf(entry: SentEntry, resolved: ResolvedEntry, onCall: () => void): TypeContext {
    const { interaction, type, id, version } = this.#plan.routeOf(entry);
    const { writing, ...others } = storedTypeOf(type);
    const stored = {
      ...others,
      repository: this.#collected.repositoryFor(entry, onCall),
      ...(writing && { writing: { ...writing, newId: () => this.#plan.newId(entry) } }),
    };
    const own: ServedType = { ...type, stored };
    const { resource } = resolved;
    const isValid = entry.refusal === undefined && isResource(resource);
    return {
      ...this.#context,
      ...(isValid && isWithin(resource, writing?.limits ?? {}) && { decoded: resource }),
      interaction,
      type: own,
      id,
      version,
      service: this.#service,
      request: entryRequest(this.#context, entry, () => resolved),
      negotiated: entryForm(this.#context),
      startMs: performance.now(),
      body: NO_BODY,
      isHandedOver: false,
    };
  }

  async #interact(
    context: TypeContext,
    entry: SentEntry,
    { refusal }: ResolvedEntry,
  ): Promise<FhirResponse> {
    const { request, service, type } = context;
    const { interaction } = this.#plan.routeOf(entry);
    const action = interaction.needs === 'either' ? undefined : interaction.needs;
    const identity = await authorize(request, service, [type.name], action);
    // `handOver` marks this context, so it must stay the same object.
    const ready = Object.assign(context, { identity, body: NO_BODY });
    if (interaction.body !== 'resource') return interaction.run(ready);
    await this.#plan.conditional.authorize(entry, context);
    if (context.decoded !== undefined) {
      if (refusal !== undefined) throw refusal;
      return interaction.run(ready);
    }
    const body = await readResourceBody(request, service);
    return interaction.run(Object.assign(context, { body }));
  }

  /** Throws the errors of all interactions that have failed. The audit log has an entry of each. */
  async #requireNone(runs: readonly Run[]): Promise<void> {
    const failed = runs.filter(({ error }) => error !== undefined && error !== CANCELLED);
    if (failed.length === 0) return;
    this.#collected.cancel();
    this.#context.isHandedOver = true;
    for (const { context, error } of failed) await recordRefusal(context, error);
    const inOrder = failed.toSorted((a, b) => a.entry.at - b.entry.at);
    const other = inOrder.find(({ error }) => !(error instanceof FhirError));
    if (other !== undefined) throw other.error;
    throw joinedError(inOrder);
  }

  /** Searches run after the commit. One that fails has its own answer. */
  async #answers(runs: readonly Run[]): Promise<ReadonlyMap<SentEntry, FhirResponse>> {
    const answers = new Map<SentEntry, FhirResponse>();
    for (const run of runs) {
      const response = await run.ended;
      const received = receivedOf(this.#context, this.#service, run.context.request);
      answers.set(run.entry, response ?? answerFailure(received, run.error));
    }
    return answers;
  }
}

function joinedError(failed: readonly Run[]): FhirError {
  const issues: Issue[] = [];
  let headers: readonly string[] = [];
  for (const { entry, error } of failed) {
    if (!(error instanceof FhirError)) continue;
    const named = namedError(error, entry);
    if (issues.length === 0) headers = named.headers;
    issues.push(...named.issues);
  }
  return new FhirError(issues.slice(0, FINDINGS_MAX), headers);
}
