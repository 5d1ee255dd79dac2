/** The telephone numbers and the address of an Organization, as parts of its record. */
import type { AddressRecord, TelecomRecord } from '../../directory/record/record.ts';
import type { FhirObject, FhirValue } from '../../fhir/format/resource.ts';
import { makeAddress } from '../make-address.ts';
import { printable } from '../release-file/source-text.ts';
import { type Notes, noteOthers, objectsOf, stringIn } from './organization-parts.ts';

/** The elements that become part of a record. The import leaves out and reports all others. */
const TELECOM_ELEMENTS = new Set(['system', 'value']);
const ADDRESS_ELEMENTS = new Set([
  'extension',
  'line',
  'city',
  'district',
  'postalCode',
  'country',
]);

export function telecomRecords(organization: FhirObject, notes: Notes): readonly TelecomRecord[] {
  const telecoms: TelecomRecord[] = [];
  for (const telecom of objectsOf(organization.telecom)) {
    noteOthers(telecom, TELECOM_ELEMENTS, 'telecom.', notes);
    const value = notes.text(telecom.value);
    if (value === undefined) continue;
    const given = stringIn(telecom.system);
    const system = TELECOM_SYSTEMS.find((each) => each === given);
    if (system === undefined) notes.warn('unknown-contact-type', printable(given ?? '(none)'));
    telecoms.push({ system: system ?? 'other', value });
  }
  return telecoms;
}

/** The systems of a record. STU3 also has pager and sms. */
const TELECOM_SYSTEMS: readonly TelecomRecord['system'][] = [
  'phone',
  'fax',
  'email',
  'url',
  'other',
];

/** `uprnIn` reads the UPRN of an extension of the address; undefined for another extension. */
export function addressRecord(
  organization: FhirObject,
  uprnIn: (extension: FhirObject) => FhirValue | undefined,
  notes: Notes,
): AddressRecord | undefined {
  const [address, ...others] = objectsOf(organization.address);
  if (others.length > 0) notes.leftOut('another address');
  if (address === undefined) return undefined;
  noteOthers(address, ADDRESS_ELEMENTS, 'address.', notes);
  const given = Array.isArray(address.line) ? address.line : [];
  const lines = given.flatMap((line) => notes.text(line) ?? []);
  const city = notes.text(address.city);
  const district = notes.text(address.district);
  const postalCode = notes.text(address.postalCode);
  const country = notes.text(address.country);
  const uprn = uprnOf(address, uprnIn, notes);
  return makeAddress(lines, { city, district, postalCode, country, uprn });
}

function uprnOf(
  address: FhirObject,
  uprnIn: (extension: FhirObject) => FhirValue | undefined,
  notes: Notes,
): string | undefined {
  let uprn: string | undefined;
  for (const extension of objectsOf(address.extension)) {
    const value = uprnIn(extension);
    if (value !== undefined) uprn ??= notes.text(value);
    else notes.leftOut(`extension ${printable(stringIn(extension.url) ?? '')} of the address`);
  }
  return uprn;
}
