/** The date of what is answered from an edition, as the header Last-Modified has it. */
import type { Edition } from '../../directory/edition/edition.ts';
import { httpDate } from '../../fhir/http/headers.ts';

/** Postcodes and practitioners are imported apart from editions, and change answers too. */
export function publishedDateOf({
  publishedAt,
  postcodes,
  practitioners,
}: Pick<Edition, 'publishedAt' | 'postcodes' | 'practitioners'>): string {
  return httpDate(
    Math.max(
      Date.parse(publishedAt),
      Date.parse(postcodes?.about.importedAt ?? publishedAt),
      Date.parse(practitioners?.about.importedAt ?? publishedAt),
    ),
  );
}
