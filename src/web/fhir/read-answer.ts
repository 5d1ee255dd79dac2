/** Reads the body of an answer as a text, up to a limit. */
import type { FhirResponse } from '../../fhir/request/request.ts';

export interface AnswerText {
  readonly text: string;
  /** Whether the text is the whole body. */
  readonly isWhole: boolean;
}

/** Ends the answer, also if it is longer than `bytesMax`: the rest is never made. */
export async function readAnswer(
  { body, pieces, release, onClosed }: FhirResponse,
  bytesMax: number,
): Promise<AnswerText> {
  try {
    const parts: Uint8Array[] = [];
    let length = 0;
    for await (const piece of pieces ?? [bytesOf(body)]) {
      parts.push(piece);
      length += piece.length;
      if (length > bytesMax) break;
    }
    const text = startOf(parts, bytesMax);
    if (body !== undefined && typeof body !== 'string') release?.(body);
    return { text, isWhole: length <= bytesMax };
  } finally {
    onClosed?.();
  }
}

function bytesOf(body: FhirResponse['body'] = ''): Uint8Array {
  return typeof body === 'string' ? Buffer.from(body) : body;
}

/** Without a character that the limit cuts. */
function startOf(parts: readonly Uint8Array[], bytesMax: number): string {
  const bytes = Buffer.concat(parts).subarray(0, bytesMax);
  return new TextDecoder().decode(bytes, { stream: true });
}
