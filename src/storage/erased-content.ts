/** What commands erase and hold, as every kind of store has it. */
import type { ResourceAddress } from '../fhir/repository.ts';
import { StorageError } from './storage-error.ts';

/** A resource by its id, which is enough if only one type has it. */
export interface ResourceName {
  readonly type?: string | undefined;
  readonly id: string;
}

export interface ErasedContent extends ResourceAddress {
  /** How many versions lost their content; 0 if the resource was erased before. */
  readonly versions: number;
  /** Whether the content is gone from all files. False while a reader uses the old state. */
  readonly isComplete: boolean;
}

export interface HeldResource extends ResourceAddress {
  readonly heldAt: string;
  readonly reason: string;
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
  return new StorageError('refused', `${resourceText(address)} was erased already.`);
}

export function notHeldError(address: ResourceAddress): StorageError {
  return new StorageError('refused', `${resourceText(address)} is not on hold.`);
}

function resourceText({ type, id }: ResourceAddress): string {
  return `${type}/${id}`;
}
