/** What commands erase and hold, as every kind of store has it. */
import type { ResourceAddress } from '../../fhir/stored/repository.ts';
import { StorageError } from '../storage-error.ts';
import { NO_CONTENT } from './stored-version.ts';

/** A resource by its id, which is enough if only one type has it. */
export interface ResourceName {
  readonly type?: string | undefined;
  readonly id: string;
}

/** The resource whose content a command erases: that of all versions, or of one. */
export interface ContentName extends ResourceName {
  readonly version?: number | undefined;
}

export interface ErasedContent extends ResourceAddress {
  /** How many versions lost their content; 0 if they had none. */
  readonly versions: number;
  /** Whether the content is gone from all files. False while a reader uses the old state. */
  readonly isComplete: boolean;
}

export interface HeldResource extends ResourceAddress {
  readonly heldAt: string;
  readonly reason: string;
}

/** A resource as a command finds it, to erase or to hold it. */
export interface FoundResource {
  readonly key: number;
  readonly address: ResourceAddress;
  readonly isErased: boolean;
  readonly holdReason: string | undefined;
}

export const SELECT_RESOURCES = `
  SELECT r.key, r.resource_type, r.id, e.resource AS erased, h.reason
  FROM resource AS r
  LEFT JOIN erasure AS e ON e.resource = r.key
  LEFT JOIN hold AS h ON h.resource = r.key`;

export const SELECT_VERSION = `
  SELECT v.text, r.current_version FROM resource AS r
  JOIN resource_version AS v ON v.resource = r.key`;

/** Whether a version, from a row of `SELECT_VERSION`, has content. Throws if it cannot be erased alone. */
export function hasErasableContent(
  row: Readonly<Record<string, unknown>> | undefined,
  { address }: Pick<FoundResource, 'address'>,
  version: number,
): boolean {
  const name = resourceText(address);
  if (row === undefined) {
    throw new StorageError('refused', `There is no version ${version} of ${name}.`);
  }
  if (row.text === NO_CONTENT) return false;
  if (Number(row.current_version) === version) {
    throw new StorageError(
      'refused',
      `Version ${version} of ${name} is the current one. Update or delete the resource first, or ` +
        'erase all versions.',
    );
  }
  return true;
}

/** From a row of `SELECT_RESOURCES`. */
export function foundResource(row: Readonly<Record<string, unknown>>): FoundResource {
  return {
    key: Number(row.key),
    address: { type: String(row.resource_type), id: String(row.id) },
    isErased: row.erased !== null,
    holdReason: row.reason === null ? undefined : String(row.reason),
  };
}

export function absentResource({ type, id }: ResourceName): StorageError {
  const name = type === undefined ? `resource with the id ${id}` : `${type}/${id}`;
  return new StorageError('refused', `There is no ${name}.`);
}

/** Resources of two types have the id. */
export function ambiguousResource(id: string, types: readonly [string, string]): StorageError {
  return new StorageError(
    'refused',
    `The types ${types.join(' and ')} have a resource with the id ${id}. Name it as TYPE/ID.`,
  );
}

export function heldError(address: ResourceAddress, reason: string): StorageError {
  return new StorageError(
    'refused',
    `${resourceText(address)} is on hold (${reason}). End the hold with ` +
      `"gazetteer orders release ${resourceText(address)}" first.`,
  );
}

export function erasedError(address: ResourceAddress): StorageError {
  return new StorageError('refused', `${resourceText(address)} has already been erased.`);
}

export function notHeldError(address: ResourceAddress): StorageError {
  return new StorageError('refused', `${resourceText(address)} is not on hold.`);
}

function resourceText({ type, id }: ResourceAddress): string {
  return `${type}/${id}`;
}
