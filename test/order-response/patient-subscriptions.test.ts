/** Which criteria name the patient of an order response. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { EXAMPLE_RESPONSE } from '../../src/orders/order-response/example.ts';
import {
  namesPatient,
  patientNamesIn,
} from '../../src/orders/order-response/patient-subscriptions.ts';
import { SUBSCRIPTION_EXAMPLE } from '../subscriptions/example.ts';

const isNamed = (criteria: string, ...names: string[]) =>
  namesPatient(
    JSON.stringify({ ...SUBSCRIPTION_EXAMPLE, criteria: `OrderResponse?${criteria}` }),
    new Set(names),
  );

/** The names in the example, whose order is about this reference. */
function namesOf(reference: string): readonly string[] {
  const [order, ...others] = EXAMPLE_RESPONSE.contained as readonly object[];
  const contained = [{ ...order, subject: { reference } }, ...others];
  return patientNamesIn(JSON.stringify({ ...EXAMPLE_RESPONSE, contained }));
}

it('the address of a patient gives the id that criteria can have', () => {
  for (const reference of [
    'Patient/1',
    'Patient/1/_history/2',
    'https://other.example/fhir/Patient/1',
  ]) {
    assert.deepEqual(
      [...new Set(namesOf(reference))].toSorted(),
      [...new Set([reference, 'Patient/1'])].toSorted(),
    );
  }
});

it('criteria name a patient by its id only where they ask for a patient', () => {
  const name = 'Patient/1';
  assert.ok(isNamed('patient=1', name));
  assert.ok(isNamed('request.patient=Patient/1', name));
  assert.ok(isNamed('request.patient:Patient=1', name));
  assert.ok(isNamed('patient=2,https://other.example/fhir/Patient/1', name));
  assert.ok(!isNamed('identifier=https://ids.example%7C1', name));
  assert.ok(!isNamed('fulfillment=DiagnosticReport/1', name));
  assert.ok(!isNamed('patient=11', name));
});

it('criteria name a patient by an identifier with characters that have to be escaped', () => {
  const parameter = 'request.patient.identifier';
  assert.ok(isNamed(`${parameter}=https://ids.example%7Ca%5C%7Cb%5C,c`, 'a|b,c'));
  assert.ok(isNamed(`${parameter}=1,a%5C%5C,2`, 'a\\'));
  assert.ok(!isNamed(`${parameter}=a%5C,b`, 'a'));
});
