/** The telephone numbers and the address of an Organisation element, as parts of its record. */
import type { AddressRecord, TelecomRecord } from '../../../directory/record/record.ts';
import { makeAddress } from '../../make-address.ts';
import { cleanText, printable } from '../source-text.ts';
import type { Warning } from '../warning.ts';
import type { OrganisationDraft } from './draft.ts';

export function draftTelecoms(
  draft: OrganisationDraft,
  warnings: Warning[],
): readonly TelecomRecord[] {
  const telecoms: TelecomRecord[] = [];
  for (const contact of draft.contacts) {
    const value = cleanText(contact.value);
    if (value === undefined) continue;
    const system = contactSystems.get(contact.type?.trim().toLowerCase() ?? '');
    if (system === undefined) {
      warnings.push({ kind: 'unknown-contact-type', detail: printable(contact.type ?? '(none)') });
    }
    telecoms.push({ system: system ?? 'other', value });
  }
  return telecoms;
}

const contactSystems: ReadonlyMap<string, TelecomRecord['system']> = new Map([
  ['tel', 'phone'],
  ['fax', 'fax'],
  ['mailto', 'email'],
  ['http', 'url'],
  // As an export writes the contacts of unknown types.
  ['other', 'other'],
]);

export function draftAddress(
  draft: OrganisationDraft,
  warnings: Warning[],
): AddressRecord | undefined {
  const [location, ...others] = draft.locations;
  if (others.length > 0)
    warnings.push({ kind: 'element-left-out', detail: 'all but the first Location' });
  if (location === undefined) return undefined;
  const lines: string[] = [];
  for (const line of location.lines) {
    const text = cleanText(line);
    if (text !== undefined) lines.push(text);
  }
  const city = cleanText(location.town);
  const district = cleanText(location.county);
  const postalCode = cleanText(location.postCode);
  const country = cleanText(location.country);
  const uprn = cleanText(location.uprn);
  return makeAddress(lines, { city, district, postalCode, country, uprn });
}
