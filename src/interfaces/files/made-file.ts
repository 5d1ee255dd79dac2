/** Answers with files of an edition that another thread made. */
import { createReadStream, openSync, type ReadStream } from 'node:fs';
import type { OpenDownload } from '../../fhir/service/interaction.ts';
import type { Pieces } from '../answer/kept-answers.ts';
import type { LongAnswer, LongAnswers } from '../answer/long-answers.ts';

/** Opens it at once: it is removed when another edition becomes the current one. */
export function openMadeFile(path: string): ReadStream | undefined {
  try {
    return createReadStream(path, { fd: openSync(path, 'r') });
  } catch {
    return undefined;
  }
}

/** Closes the file also if the client leaves early, or gets no place. */
export async function answerMadeFile(
  file: ReadStream,
  answer: LongAnswer,
  longAnswers: LongAnswers,
  asked: Parameters<OpenDownload['pieces']>,
): Promise<Pieces> {
  try {
    const [, , left] = asked;
    left?.addEventListener('abort', () => file.destroy());
    return await longAnswers.pieces(answer)(...asked);
  } catch (error) {
    file.destroy();
    throw error;
  }
}
