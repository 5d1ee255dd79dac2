/** What commands erase and hold, as every kind of store has it. */
import type { ResourceAddress } from '../fhir/repository.ts';

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
