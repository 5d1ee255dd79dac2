/** Reads the extensions that the R4 service adds: typed periods, codes and the last change. */
import { R4_EXTENSIONS } from '../../directory/r4/systems.ts';
import { type FhirObject, type FhirValue, isObject } from '../../fhir/format/resource.ts';
import { lastChangeOf, type PeriodPart } from '../fhir/organization-dates.ts';
import { objectsOf, stringIn } from '../fhir/organization-parts.ts';

/** The parts of an extension by their URL; of several with one URL the first. */
export function partNamed(extension: FhirObject, url: string): FhirObject {
  return objectsOf(extension.extension).find((part) => part.url === url) ?? {};
}

/** The periods among the extensions of an element. */
export function typedPeriodsIn(element: FhirObject): readonly PeriodPart[] {
  return objectsOf(element.extension)
    .filter(({ url }) => url === R4_EXTENSIONS.typedPeriod)
    .map((extension) => {
      const { valuePeriod } = partNamed(extension, 'period');
      const { start, end } = isObject(valuePeriod) ? valuePeriod : {};
      const kind = codeIn(partNamed(extension, 'dateType').valueCoding);
      return { kind, start: stringIn(start), end: stringIn(end) };
    });
}

function codeIn(coding: FhirValue | undefined): string | undefined {
  return isObject(coding) ? stringIn(coding.code) : undefined;
}

/** The first coding of a system in a CodeableConcept. A coding without a system has the right one. */
export function codingIn(concept: FhirValue | undefined, system: string): FhirObject | undefined {
  if (!isObject(concept)) return undefined;
  return objectsOf(concept.coding).find((coding) => (coding.system ?? system) === system);
}

/** The LastChangeDate of an organisation. */
export function lastChangeIn(organization: FhirObject): string | undefined {
  for (const extension of objectsOf(organization.extension)) {
    const isDate = extension.url === R4_EXTENSIONS.typedDateTime;
    if (!isDate || codeIn(partNamed(extension, 'type').valueCoding) !== 'LastChangeDate') continue;
    const date = stringIn(partNamed(extension, 'dateTime').valueDateTime);
    return /^\d{4}-\d\d-\d\d$/.test(date ?? '') ? date : lastChangeOf(date);
  }
  return undefined;
}
