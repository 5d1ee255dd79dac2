/** Defects of order responses: what each does to a valid one, and where it is to be found. */

/** A resource of `arbitraryOrderResponse`, to be changed. */
// biome-ignore lint/suspicious/noExplicitAny: the tests change it to resources that are not valid
export type Draft = any;

export interface Defect {
  readonly name: string;
  /** Changes the draft; answers the path of a finding. */
  readonly apply: (draft: Draft) => string;
  /** It breaks a rule of the service, not FHIR's. */
  readonly isOurs?: true;
  /** XML has no way to write it, or has another one. */
  readonly isJsonOnly?: true;
}

const ROOT = '/f:OrderResponse';

function part(draft: Draft, type: string): { resource: Draft; path: string } {
  const index = draft.contained.findIndex((one: Draft) => one.resourceType === type);
  return { resource: draft.contained[index], path: `${ROOT}/f:contained[${index + 1}]/f:${type}` };
}

/** In a contained resource; the path leads on from there. */
function within(type: string, change: (resource: Draft) => string): Defect['apply'] {
  return (draft) => {
    const { resource, path } = part(draft, type);
    return path + change(resource);
  };
}

/** In the outer resource. */
function outside(change: (draft: Draft) => string): Defect['apply'] {
  return (draft) => ROOT + change(draft);
}

/** Sets one property, and is to be found there. */
function set(name: string, value: unknown, more = ''): (resource: Draft) => string {
  return (resource) => {
    resource[name] = value;
    delete resource[`_${name}`];
    return `/f:${name}${more}`;
  };
}

function remove(name: string): (resource: Draft) => string {
  return (resource) => {
    delete resource[name];
    return `/f:${name}`;
  };
}

const narrative = (content: string) => ({
  status: 'generated',
  div: `<div xmlns="http://www.w3.org/1999/xhtml">${content}</div>`,
});
const extension = (more: object) => [{ url: 'urn:a', ...more }];
const concept = { coding: [{ system: 'urn:a', code: 'b' }] };

export const DEFECTS: readonly Defect[] = [
  { name: 'an unknown status', apply: outside(set('orderStatus', 'done')) },
  { name: 'no status', apply: outside(remove('orderStatus')) },
  { name: 'no request', apply: outside(remove('request')) },
  { name: 'a time without a zone', apply: outside(set('date', '2017-06-15T14:57:54')) },
  { name: 'a day that is not in the calendar', apply: outside(set('date', '2017-02-29')) },
  {
    name: 'a request of nothing',
    apply: outside(set('request', { reference: '#gone' }, '/f:reference')),
  },
  {
    name: 'a request that is a Patient',
    apply: outside(set('request', { reference: '#pat' }, '/f:reference')),
  },
  {
    name: 'a responder that is a Patient',
    apply: outside(set('who', { reference: '#pat' }, '/f:reference')),
  },
  { name: 'a language that is not valid', apply: outside(set('language', 'English!')) },
  { name: 'an empty extension', apply: outside(set('extension', extension({}), '[1]')) },
  {
    name: 'an extension with both',
    apply: outside(
      set(
        'extension',
        extension({ extension: extension({ valueCode: 'a' }), valueCode: 'a' }),
        '[1]',
      ),
    ),
  },
  {
    name: 'an extension of no definition',
    apply: outside(set('extension', [{ url: 'a', valueCode: 'a' }], '[1]')),
  },
  {
    name: 'a period that ends first',
    apply: outside(
      set(
        'identifier',
        [{ value: 'a' }, { period: { start: '2012', end: '2011' } }],
        '[2]/f:period/f:start',
      ),
    ),
  },
  {
    name: 'a subject of a wrong type',
    apply: within('Order', set('subject', { reference: '#prac' }, '/f:reference')),
  },
  { name: 'an order without a target', apply: within('Order', remove('detail')) },
  {
    name: 'two reasons',
    apply: within('Order', (order) => {
      order.reasonCodeableConcept = concept;
      return set('reasonReference', { display: 'a' })(order);
    }),
  },
  {
    name: 'a code and a schedule',
    apply: within('Order', set('when', { code: concept, schedule: { event: ['2012'] } })),
  },
  {
    name: 'a duration without its unit',
    apply: within(
      'Order',
      set('when', { schedule: { repeat: { duration: 1 } } }, '/f:schedule/f:repeat/f:duration'),
    ),
  },
  { name: 'an unknown gender', apply: within('Patient', set('gender', 'f')) },
  { name: 'a thirteenth month', apply: within('Patient', set('birthDate', '1998-13-01')) },
  {
    name: 'a number without its system',
    apply: within('Patient', set('telecom', [{ value: '1' }], '[1]/f:value')),
  },
  {
    name: 'a contact without details',
    apply: within('Patient', set('contact', [{ gender: 'other' }], '[1]')),
  },
  {
    name: 'a marital status of no value set',
    apply: within('Patient', set('maritalStatus', concept)),
  },
  {
    name: 'a photo without its type',
    apply: within('Patient', set('photo', [{ data: 'QQ==' }], '[1]/f:data')),
  },
  {
    name: 'a contained resource without an id',
    apply: within('Patient', (patient) => remove('id')(patient).slice(0, 0)),
  },
  { name: 'a contained resource with text', apply: within('Patient', set('text', narrative('a'))) },
  {
    name: 'a resource in a contained one',
    apply: within('Patient', set('contained', [{ resourceType: 'Basic', id: 'a', code: concept }])),
  },
  {
    name: 'a contained resource with a version',
    apply: within('Practitioner', set('meta', { versionId: '1' }, '/f:versionId')),
  },
  {
    name: 'two contained resources of one name',
    apply: (draft) => {
      draft.contained.push({ ...part(draft, 'Patient').resource });
      return `${ROOT}/f:contained[${draft.contained.length}]/f:Patient/f:id`;
    },
  },
  {
    name: 'a contained resource that nothing refers to',
    apply: (draft) => {
      draft.contained.unshift({ resourceType: 'Basic', id: 'alone', code: concept });
      return `${ROOT}/f:contained[1]/f:Basic`;
    },
  },
  {
    name: 'a script',
    isOurs: true,
    apply: outside(set('text', narrative('a<script>b</script>'), '/h:div')),
  },
  {
    name: 'a link that runs a script a script',
    isOurs: true,
    apply: outside(set('text', narrative('<a href="java&#10;script:a">b</a>'), '/h:div')),
  },
  {
    name: 'an empty narrative',
    isOurs: true,
    apply: outside(set('text', narrative('<p> </p>'), '/h:div')),
  },
  {
    name: 'a responder elsewhere',
    isOurs: true,
    apply: (draft) => {
      draft.fulfillment = [...(draft.fulfillment ?? []), { reference: '#prac' }];
      return outside(set('who', { reference: 'Practitioner/1' }, '/f:reference'))(draft);
    },
  },
  {
    name: 'no Patient',
    isOurs: true,
    apply: (draft) => {
      draft.contained = draft.contained.filter((one: Draft) => one.resourceType !== 'Patient');
      for (const one of draft.contained) delete one.subject;
      return ROOT;
    },
  },
  { name: 'an unknown element', isJsonOnly: true, apply: outside(set('nonsense', 'a')) },
  {
    name: 'a name that repeats',
    isJsonOnly: true,
    apply: within('Practitioner', set('name', [{ text: 'a' }])),
  },
  {
    name: 'a status that repeats',
    isJsonOnly: true,
    apply: outside(set('orderStatus', ['completed'])),
  },
  { name: 'a null', isJsonOnly: true, apply: outside(set('description', null)) },
];
