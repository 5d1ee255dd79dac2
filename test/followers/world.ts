/** A directory with its clock, its source and its server: what the steps of the model change. */
import { type Edition, openEdition } from '../../src/directory/edition/edition.ts';
import type { EditionInfo } from '../../src/directory/edition/edition-store.ts';
import { applyTopUp } from '../../src/directory/import/apply-top-up.ts';
import { type ImportReport, importEdition } from '../../src/directory/import/import-edition.ts';
import { rollBack } from '../../src/directory/import/roll-back.ts';
import { TopUp } from '../../src/directory/import/top-up.ts';
import { CODE_SYSTEMS } from '../directory/records.ts';
import type { FollowedPlace } from './followed-places.ts';
import { firstRecords, type Records } from './nation.ts';

const DAY_MS = 86_400_000;

export class World {
  readonly place: FollowedPlace;
  readonly #clock: { ms: number };
  /** What the source publishes now, and what it published in each release before. */
  national: Records;
  readonly releases: Records[] = [];
  /** What the directory must say, by the number of the edition. */
  readonly expected = new Map<number, Records>();
  /** The edition that the server has in memory, also if its files are damaged. */
  served: { readonly info: EditionInfo; readonly edition: Edition } | undefined;
  readonly damaged = new Set<number>();
  /** Whether the last step made a change that is dated before the newest record. */
  goesBack = false;
  /** Of a record since then, also of one that is no longer there. */
  #newestDate = '';
  #sourceDay = Date.parse('2026-01-01');

  constructor(place: FollowedPlace, clock: { ms: number }) {
    this.place = place;
    this.#clock = clock;
    this.national = firstRecords(this.sourceDay);
  }

  /** The day of the source, whose clock is right. */
  get sourceDay(): string {
    return new Date(this.#sourceDay).toISOString().slice(0, 10);
  }

  passDays(days: number): void {
    this.#sourceDay += days * DAY_MS;
  }

  /** Moves the clock of the machine. */
  moveClock(ms: number): void {
    this.#clock.ms += ms;
  }

  get nowMs(): number {
    return this.#clock.ms;
  }

  /** What the directory says now. */
  get current(): Records {
    return this.expected.get(this.served?.info.number ?? 0) ?? new Map();
  }

  async importRelease(records: Records): Promise<ImportReport> {
    const report = await this.#import(async (receiver) => {
      receiver.manifest({
        publicationDate: this.sourceDay,
        publicationType: 'Full',
        recordCount: records.size,
        hasRelations: true,
      });
      receiver.codeSystems(CODE_SYSTEMS);
      for (const record of records.values()) receiver.record(record);
    });
    await this.#serve(records);
    return report;
  }

  /** `after`: what the directory then says. */
  async importTopUp(fill: (topUp: TopUp) => void, after: Records): Promise<ImportReport> {
    const report = await this.#import(async (receiver, before) => {
      if (before === undefined) throw new Error('no edition for a top-up');
      const topUp = new TopUp(receiver, new Date(this.#sourceDay));
      fill(topUp);
      applyTopUp(before, topUp, receiver);
    });
    await this.#serve(after);
    return report;
  }

  async rollBack(to: number): Promise<void> {
    const records = this.expected.get(to) ?? new Map();
    await rollBack(this.place.store, to);
    await this.#serve(records);
  }

  async #serve(records: Records): Promise<void> {
    const { store } = this.place;
    const info = await store.current();
    if (info === undefined) throw new Error('there is no edition');
    const before = this.current;
    this.goesBack = [...records.values()].some(
      (record) => record !== before.get(record.code) && record.lastUpdated < this.#newestDate,
    );
    const dates = [...records.values()].map(({ lastUpdated }) => lastUpdated);
    this.#newestDate = [...dates, this.goesBack ? '' : this.#newestDate].toSorted().at(-1) ?? '';
    this.expected.set(info.number, records);
    this.served = { info, edition: openEdition(info, await store.load(info.number)) };
  }

  #import(read: Parameters<typeof importEdition>[0]['read']): Promise<ImportReport> {
    return importEdition({
      store: this.place.store,
      source: 'model',
      read,
      onProgress: () => {},
      onBuild: () => {},
      keep: 4,
      now: () => this.nowMs,
      allowShrink: true,
      stopped: NEVER,
    });
  }
}

const NEVER = new AbortController().signal;
