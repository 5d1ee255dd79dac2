/** What a batch of calls needs from the database before its calls can run in memory. */

import type { Condition, FieldEntry, ResourceCriterion } from '../../../fhir/search/criterion.ts';
import { lastUpdatedEntries } from '../../../fhir/search/resource-parameter.ts';
import type { HistoryRequest, ResourceAddress } from '../../../fhir/stored/repository.ts';
import { versionNumber } from '../../repository/access-record.ts';
import type { RepositoryOperation } from '../../repository/repository-operation.ts';
import { rowsOf } from '../../repository/search-rows.ts';
import { fieldsOf } from '../../sql/search.ts';

export interface TypeCondition {
  readonly type: string;
  readonly criteria: readonly ResourceCriterion[];
}

export interface VersionNeed extends ResourceAddress {
  readonly version: number;
}

/** Resources are named by their keys; see `addressKey`. */
export interface BatchNeeds {
  /** Resources whose current version is needed. */
  readonly current: Map<string, ResourceAddress>;
  /** Those of them that can get a new version. */
  readonly written: Map<string, ResourceAddress>;
  readonly versions: VersionNeed[];
  /** Resources whose version before the current one is needed. */
  readonly previous: Map<string, ResourceAddress>;
  readonly histories: HistoryRequest[];
  /** Whether a call may need to know who created a resource. */
  needsCreators: boolean;
  /** Types of which the creators of all resources are needed. */
  readonly limitedTypes: Set<string>;
  /** By `conditionKey`. */
  readonly conditions: Map<string, TypeCondition>;
  /** The most resources that can be new. */
  creates: number;
  /** Fields of the search index that get entries. */
  readonly fields: Map<string, { readonly type: string; readonly name: string }>;
}

export function addressKey({ type, id }: ResourceAddress): string {
  return `${type}/${id}`;
}

export function conditionKey({ type, criteria }: TypeCondition): string {
  return JSON.stringify([type, criteria]);
}

/** Whether a call searches for resources or counts them, and so needs the lock of its type. */
export function needsTypeLock(operation: RepositoryOperation): boolean {
  switch (operation.kind) {
    case 'create':
      return operation.args[0].ifNoneExist !== undefined || operation.args[0].limits !== undefined;
    case 'update':
      return operation.args[0].limits !== undefined;
    case 'updateMatching':
    case 'findMatch':
      return true;
    case 'transact':
      return operation.args[0].some(needsTypeLock);
    default:
      return false;
  }
}

export function needsOf(operations: readonly RepositoryOperation[]): BatchNeeds {
  const needs: BatchNeeds = {
    current: new Map(),
    written: new Map(),
    versions: [],
    previous: new Map(),
    histories: [],
    needsCreators: false,
    limitedTypes: new Set(),
    conditions: new Map(),
    creates: 0,
    fields: new Map(),
  };
  for (const operation of operations) addNeeds(needs, operation);
  return needs;
}

function addNeeds(needs: BatchNeeds, operation: RepositoryOperation): void {
  switch (operation.kind) {
    case 'create': {
      const [{ type, entries, ifNoneExist, limits }] = operation.args;
      needs.creates++;
      if (limits !== undefined) needs.limitedTypes.add(type);
      addFields(needs, type, entries);
      if (ifNoneExist !== undefined) addCondition(needs, type, ifNoneExist);
      return;
    }
    case 'updateMatching': {
      const [{ type, condition, entries, preconditions }] = operation.args;
      needs.needsCreators ||= preconditions.isCreator === true;
      needs.creates++;
      addFields(needs, type, entries);
      addCondition(needs, type, condition);
      return;
    }
    case 'update':
    case 'delete':
    case 'checkPreconditions': {
      const [request] = operation.args;
      const key = addressKey(request);
      needs.current.set(key, request);
      if (operation.kind !== 'checkPreconditions') needs.written.set(key, request);
      needs.needsCreators ||= request.preconditions.isCreator === true;
      if ('entries' in request) addFields(needs, request.type, request.entries);
      if ('limits' in request) {
        needs.limitedTypes.add(request.type);
        needs.needsCreators = true;
      }
      if (request.preconditions.ifUnmodifiedSinceMs !== undefined) {
        needs.previous.set(key, request);
      }
      return;
    }
    case 'read': {
      const [address] = operation.args;
      if (address.version === undefined) needs.current.set(addressKey(address), address);
      const version = versionNumber(address.version);
      if (version !== undefined) needs.versions.push({ ...address, version });
      return;
    }
    case 'findMatch': {
      const [{ type, condition }] = operation.args;
      addCondition(needs, type, condition);
      return;
    }
    case 'history':
      needs.histories.push(operation.args[0]);
      return;
    case 'transact':
      for (const call of operation.args[0]) addNeeds(needs, call);
      return;
    case 'recordRefusal':
    case 'recordSearch':
    case 'recordChanges':
    case 'saveDeliveries':
      return;
  }
}

function addCondition({ conditions }: BatchNeeds, type: string, { criteria }: Condition): void {
  const condition = { type, criteria };
  conditions.set(conditionKey(condition), condition);
}

function addFields({ fields }: BatchNeeds, type: string, entries: readonly FieldEntry[]): void {
  const rows = [...entries, ...lastUpdatedEntries(SOME_INSTANT)].flatMap(rowsOf);
  for (const field of fieldsOf(type, rows)) fields.set(`${type} ${field.name}`, field);
}

const SOME_INSTANT = '2000-01-01T00:00:00.000+00:00';
