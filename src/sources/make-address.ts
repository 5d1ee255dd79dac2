/** Makes the address of a record from the parts that a source has. */
import type { AddressRecord } from '../directory/record/record.ts';

type AddressParts = {
  readonly [Part in Exclude<keyof AddressRecord, 'lines'>]-?: string | undefined;
};

/** Undefined if there is no part. */
export function makeAddress(
  lines: readonly string[],
  { city, district, postalCode, country, uprn }: AddressParts,
): AddressRecord | undefined {
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
