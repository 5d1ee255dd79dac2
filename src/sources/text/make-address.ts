/** Makes the address of a record from the parts that a source has. */
import type { AddressRecord } from '../../directory/record/record.ts';

type AddressParts<Raw> = { readonly lines: readonly (Raw | undefined)[] } & {
  readonly [Part in Exclude<keyof AddressRecord, 'lines'>]: Raw | undefined;
};

/** `clean` makes the text of a part; undefined if it has none. Undefined if no part has a text. */
export function makeAddress<Raw>(
  parts: AddressParts<Raw>,
  clean: (part: Raw | undefined) => string | undefined,
): AddressRecord | undefined {
  const lines = parts.lines.flatMap((line) => clean(line) ?? []);
  const city = clean(parts.city);
  const district = clean(parts.district);
  const postalCode = clean(parts.postalCode);
  const country = clean(parts.country);
  const uprn = clean(parts.uprn);
  const isEmpty =
    lines.length === 0 && (city ?? district ?? postalCode ?? country ?? uprn) === undefined;
  if (isEmpty) return undefined;
  return {
    lines,
    ...(city !== undefined && { city }),
    ...(district !== undefined && { district }),
    ...(postalCode !== undefined && { postalCode }),
    ...(country !== undefined && { country }),
    ...(uprn !== undefined && { uprn }),
  };
}
