/** The directory as the tools of assistants see it. */

import type { EditionHistory } from '../../../directory/edition/edition-store.ts';
import type { Editions } from '../../answer/editions.ts';
import type { ServedFace } from '../../faces/rendered-edition.ts';

export interface AssistantDirectory {
  readonly editions: Editions;
  /** Writes whole resources, and reads the parameters of a search. */
  readonly face: ServedFace;
  openHistory(): Promise<EditionHistory>;
  /** The date in England, `YYYY-MM-DD`. */
  today(): string;
}
