/**
 * An example order response for the API description: the review of a laboratory report. The
 * people in it are invented.
 */

export const EXAMPLE_RESPONSE = {
  resourceType: 'OrderResponse',
  contained: [
    {
      resourceType: 'Order',
      id: 'order',
      subject: { reference: '#pat' },
      reasonCodeableConcept: {
        coding: [
          {
            system: 'http://snomed.info/sct',
            code: '324861000000109',
            display: 'Review of patient laboratory test report',
          },
        ],
      },
      detail: [{ reference: 'https://fhir.example.org/OrderComms/DiagnosticReport/12345ReportId' }],
    },
    {
      resourceType: 'Patient',
      id: 'pat',
      meta: { profile: ['https://fhir-test.hl7.org.uk/StructureDefinition/CareConnect-Patient-1'] },
      identifier: [{ system: 'https://fhir.example.org/PAS/Patient/', value: '1234DEF' }],
      name: [{ family: ['Kanfeld'] }],
      gender: 'female',
      birthDate: '1998-03-19',
    },
    {
      resourceType: 'Practitioner',
      id: 'prac',
      meta: {
        profile: ['https://fhir-test.hl7.org.uk/StructureDefinition/CareConnect-Practitioner-1'],
      },
      identifier: [{ system: 'https://fhir.nhs.uk/Id/sds-user-id', value: '123455' }],
      name: { family: ['Example'] },
    },
  ],
  request: { reference: '#order' },
  date: '2017-06-15T14:57:54+01:00',
  who: { reference: '#prac' },
  orderStatus: 'completed',
} as const;
