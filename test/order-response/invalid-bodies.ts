/** Changes that make an order response invalid, with the answer to each. */
// biome-ignore lint/suspicious/noExplicitAny: the tests change it to resources that are not valid
export type Draft = any;

export const XHTML = 'http://www.w3.org/1999/xhtml';
export const ROOT = '/f:OrderResponse';

export const narrative = (content: string) => ({
  status: 'generated',
  div: `<div xmlns="${XHTML}">${content}</div>`,
});
export const withText = (content: string) => (draft: Draft) => {
  draft.text = narrative(content);
};
export const contained = (place: number, change: (resource: Draft) => void) => (draft: Draft) =>
  change(draft.contained[place]);

export interface Case {
  readonly name: string;
  readonly change: (draft: Draft) => void;
  readonly status: 400 | 422;
  readonly code: string;
  /** The location of one of the findings. */
  readonly path: string;
}

export const refused = (
  status: 400 | 422,
  code: string,
  path: string,
  name: string,
  change: (draft: Draft) => void,
): Case => ({ name, change, status, code, path: ROOT + path });

export const CASES: readonly Case[] = [
  refused(400, 'required', '/f:request', 'no request', (draft) => {
    delete draft.request;
  }),
  refused(400, 'required', '/f:orderStatus', 'no status', (draft) => {
    delete draft.orderStatus;
  }),
  refused(400, 'value', '/f:orderStatus', 'an unknown status', (draft) => {
    draft.orderStatus = 'done';
  }),
  refused(400, 'value', '/f:date', 'a time without a zone', (draft) => {
    draft.date = '2017-06-15T14:57:54';
  }),
  refused(400, 'value', '/f:date', 'a day that the calendar lacks', (draft) => {
    draft.date = '2017-02-30';
  }),
  refused(
    400,
    'value',
    '/f:contained[2]/f:Patient/f:birthDate',
    'a birth date with a time',
    contained(1, (patient) => {
      patient.birthDate = '1998-03-19T10:00:00Z';
    }),
  ),
  refused(
    400,
    'value',
    '/f:contained[2]/f:Patient/f:gender',
    'an unknown gender',
    contained(1, (patient) => {
      patient.gender = 'weiblich';
    }),
  ),
  refused(
    400,
    'required',
    '/f:contained[1]/f:Order/f:detail',
    'an order without a target',
    contained(0, (order) => {
      delete order.detail;
    }),
  ),
  refused(
    400,
    'required',
    '/f:contained[2]/f:Patient',
    'a contained resource without an id',
    contained(1, (patient) => {
      delete patient.id;
    }),
  ),
  refused(
    400,
    'value',
    '/f:contained[3]/f:Practitioner/f:id',
    'two contained resources of one id',
    (draft) => {
      draft.contained[2].id = 'pat';
      draft.who.reference = '#pat';
    },
  ),
  refused(
    400,
    'invariant',
    '/f:contained[2]/f:Patient/f:text',
    'a contained resource with a narrative',
    contained(1, (patient) => {
      patient.text = narrative('a');
    }),
  ),
  refused(
    400,
    'invariant',
    '/f:contained[2]/f:Patient/f:contained',
    'a contained resource in a contained one',
    contained(1, (patient) => {
      patient.contained = [{ resourceType: 'Basic', id: 'inner', code: { text: 'a' } }];
      patient.managingOrganization = { reference: '#inner' };
    }),
  ),
  refused(400, 'code-invalid', '/f:language', 'a language that is not valid', (draft) => {
    draft.language = 'English!';
  }),
  refused(400, 'invariant', '/f:extension[1]', 'an extension of nothing', (draft) => {
    draft.extension = [{ url: 'urn:a' }];
  }),
  refused(422, 'business-rule', '/f:text/h:div', 'an empty narrative', withText(' ')),
  refused(
    400,
    'structure',
    '/f:contained[1]/f:Order/f:reasonReference',
    'two reasons',
    contained(0, (order) => {
      order.reasonReference = { reference: '#pat' };
    }),
  ),
  refused(
    400,
    'invariant',
    '/f:contained[1]/f:Order/f:when',
    'a code and a schedule',
    contained(0, (order) => {
      order.when = { code: { text: 'a' }, schedule: { event: ['2017'] } };
    }),
  ),
  refused(
    400,
    'invariant',
    '/f:contained[2]/f:Patient/f:contact[1]',
    'a contact without details',
    contained(1, (patient) => {
      patient.contact = [{ gender: 'male' }];
    }),
  ),
  refused(
    400,
    'required',
    '/f:contained[2]/f:Patient/f:communication[1]/f:language',
    'a communication without a language',
    contained(1, (patient) => {
      patient.communication = [{ preferred: true }];
    }),
  ),
  refused(
    400,
    'required',
    '/f:contained[2]/f:Patient/f:link[1]/f:type',
    'a link without a type',
    contained(1, (patient) => {
      patient.link = [{ other: { display: 'a' } }];
    }),
  ),
  refused(
    400,
    'required',
    '/f:contained[3]/f:Practitioner/f:qualification[1]/f:code',
    'a qualification without a code',
    contained(2, (practitioner) => {
      practitioner.qualification = [{ issuer: { display: 'a' } }];
    }),
  ),
  refused(
    400,
    'value',
    '/f:contained[2]/f:Patient/f:identifier[1]/f:use',
    'an identifier of an unknown use',
    contained(1, (patient) => {
      patient.identifier = [{ use: 'old', value: 'a' }];
    }),
  ),
  refused(
    400,
    'value',
    '/f:contained[2]/f:Patient/f:telecom[1]/f:system',
    'a telephone of system url',
    contained(1, (patient) => {
      patient.telecom = [{ system: 'url', value: 'a' }];
    }),
  ),
  refused(
    400,
    'invariant',
    '/f:contained[2]/f:Patient/f:meta/f:versionId',
    'a contained resource with a version',
    contained(1, (patient) => {
      patient.meta = { versionId: '1', profile: patient.meta.profile };
    }),
  ),
  refused(
    400,
    'invariant',
    '/f:contained[4]/f:Basic',
    'a contained resource that nothing refers to',
    (draft) => {
      draft.contained.push({ resourceType: 'Basic', id: 'lone', code: { text: 'a' } });
    },
  ),
  refused(400, 'value', '/f:who/@id', 'an id of an element that is not valid', (draft) => {
    draft.who = { id: 'a b', ...draft.who };
  }),
  refused(400, 'invariant', '/f:who/f:reference', 'a reference to nothing', (draft) => {
    draft.who.reference = '#nobody';
  }),
  ...[' Order/1', 'Order/1\n', '\u00a0urn:uuid:0c3151bd-1cbf-4d64-b04d-cd9187a4c6e0'].map(
    (reference) =>
      refused(
        400,
        'value',
        '/f:fulfillment[1]/f:reference',
        `white space around the reference ${JSON.stringify(reference)}`,
        (draft) => {
          draft.fulfillment = [{ reference }];
        },
      ),
  ),
  refused(400, 'value', '/f:who/f:reference', 'white space around a local reference', (draft) => {
    draft.who.reference = '#prac ';
  }),
  refused(400, 'value', '/f:request/f:reference', 'a request that is not an order', (draft) => {
    draft.request.reference = '#pat';
  }),
  refused(400, 'value', '/f:who/f:reference', 'a responder that is a patient', (draft) => {
    draft.who.reference = '#pat';
  }),
  refused(
    400,
    'value',
    '/f:contained[1]/f:Order/f:subject/f:reference',
    'an order about a practitioner',
    contained(0, (order) => {
      order.subject.reference = '#prac';
    }),
  ),
  refused(422, 'business-rule', '', 'no contained patient', (draft) => {
    delete draft.contained[0].subject;
    draft.contained.splice(1, 1);
  }),
  refused(422, 'business-rule', '/f:request/f:reference', 'a request elsewhere', (draft) => {
    draft.request.reference = 'https://elsewhere.example/Order/1';
    draft.fulfillment = [{ reference: '#order' }];
  }),
  refused(422, 'business-rule', '/f:text/h:div', 'a script', withText('<script>a()</script>')),
  refused(422, 'business-rule', '/f:text/h:div', 'an event', withText('<p onclick="a()">a</p>')),
  refused(
    422,
    'business-rule',
    '/f:text/h:div',
    'a link that runs a script a script',
    withText('<a href="javascript:a()">a</a>'),
  ),
  refused(
    422,
    'business-rule',
    '/f:text/h:div',
    'an image from elsewhere',
    withText('<img src="https://a.example/a.png" alt="a"/>'),
  ),
  refused(
    422,
    'business-rule',
    '/f:text/h:div',
    'a style that covers',
    withText('<p style="position: fixed; top: 0">a</p>'),
  ),
  refused(
    422,
    'business-rule',
    '/f:text/h:div',
    'a style with an address',
    withText('<p style="background: url(https://a.example)">a</p>'),
  ),
];
