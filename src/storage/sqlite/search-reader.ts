/** Answers searches: the pages of new ones, and other pages of those whose matches are kept. */
import { randomUUID } from 'node:crypto';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { AUDIT_EVENT } from '../../fhir/audit/audit-event.ts';
import type {
  SearchContinuation,
  SearchPageRequest,
  SearchStart,
  StoredVersion,
} from '../../fhir/stored/repository.ts';
import { expiredAnswer, matchPage, tooCostlyAnswer } from '../repository/match-page.ts';
import { versionOf } from '../repository/stored-version.ts';
import type { SearchAnswer } from '../threads/reader-answers.ts';
import { AuditQueries } from './audit-queries.ts';
import { SELECT_VERSIONS } from './resource-tables.ts';
import { SearchQueries } from './search-queries.ts';

/** Statements over an open database. The caller closes it. */
export class SearchReader {
  readonly #queries: SearchQueries;
  readonly #audit: AuditQueries;
  readonly #version: StatementSync;
  readonly #kept: StatementSync;

  constructor(database: DatabaseSync) {
    this.#queries = new SearchQueries(database);
    this.#audit = new AuditQueries(database);
    this.#version = database.prepare(
      `${SELECT_VERSIONS} WHERE r.key = ? AND v.version = r.current_version`,
    );
    this.#kept = database.prepare(
      `SELECT length(members) / ${KEY_BYTES} AS total,
         substr(members, ? * ${KEY_BYTES} + 1, ? * ${KEY_BYTES}) AS part
       FROM kept_search WHERE id = ? AND resource_type = ? AND expires_at > ?`,
    );
  }

  /** Call it in a transaction, so that all parts of the answer are of one state of the database. */
  search(request: SearchPageRequest, nowMs: number): SearchAnswer {
    return 'result' in request ? this.#continue(request, nowMs) : this.#start(request);
  }

  #start(request: SearchStart): SearchAnswer {
    const { type, count, keepMs } = request;
    const keys = (type === AUDIT_EVENT ? this.#audit : this.#queries).matching(request);
    if (keys === undefined) return tooCostlyAnswer(request);
    const answer = this.#page(request, keys.subarray(0, count), { offset: 0, total: keys.length });
    const { result } = answer;
    if (result.kind !== 'found' || result.nextOffset === undefined) return answer;
    const id = randomUUID();
    const members = Buffer.alloc(keys.length * KEY_BYTES);
    for (let at = 0; at < keys.length; at++) members.writeUInt32LE(keys[at] ?? 0, at * KEY_BYTES);
    return {
      kind: 'search',
      result: { ...result, result: id },
      found: { ...answer.found, kept: { id, members, keepMs } },
    };
  }

  #continue(request: SearchContinuation, nowMs: number): SearchAnswer {
    const { type, result, offset, count } = request;
    const row = this.#kept.get(offset, count, result, type, nowMs);
    if (row === undefined) return expiredAnswer(request);
    const total = Number(row.total);
    const part = row.part instanceof Uint8Array ? Buffer.from(row.part) : Buffer.alloc(0);
    const keys = Array.from({ length: part.length / KEY_BYTES }, (_, at) =>
      part.readUInt32LE(at * KEY_BYTES),
    );
    const answer = this.#page(request, keys, { offset, total });
    if (answer.result.kind !== 'found') return answer;
    return { ...answer, result: { ...answer.result, result } };
  }

  #page(
    request: SearchPageRequest,
    keys: Iterable<number>,
    place: { readonly offset: number; readonly total: number },
  ): SearchAnswer {
    return matchPage(request, keys, place, (key) => this.#versionAt(request.type, key));
  }

  #versionAt(type: string, key: number): StoredVersion | undefined {
    if (type === AUDIT_EVENT) return this.#audit.resource(key);
    const row = this.#version.get(key);
    return row && versionOf(row);
  }
}

const KEY_BYTES = 4;
