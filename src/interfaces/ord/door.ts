/** How ORD reads requests, and its errors: the texts are those of the national service. */

import { ANSWER_HEADERS } from '../../fhir/statement/open-api-answers.ts';
import type { PlainAnswers } from '../json/endpoint.ts';
import type { Door } from '../json/endpoint-service.ts';
import { objectOf, TEXT } from '../json/json-schema.ts';
import {
  ORD_CONTENT_TYPES,
  ORD_NOT_FOUND,
  ordErrorForm,
  ordFormOf,
  unknownArgument,
} from './form.ts';

/** `isSecured`: clients need a token. `helpUrl`: a page that explains the parameters. */
export function ordDoor(isSecured: boolean, helpUrl: string | undefined): Door {
  return {
    rules: { unknown: unknownArgument, repeated: (name) => `Repeated ${name} argument.` },
    notFound: ORD_NOT_FOUND,
    errors: {
      every: isSecured ? { ...TOKEN_ERRORS, ...ERRORS } : ERRORS,
      mediaType: ORD_CONTENT_TYPES.json,
      schema: ERROR_SCHEMA,
    },
    errorForm: (kind, text, hint) => ordErrorForm(kind, text, hint, helpUrl),
    formOf: ordFormOf,
  };
}

/** Answers with validators, in JSON and XML. `headers`: the names of the headers that only these have. */
export function ordAnswers(headers: readonly string[] = []): PlainAnswers {
  const own = headers.map((name) => [name, { schema: TEXT }]);
  return {
    headers: { ...ANSWER_HEADERS, ...Object.fromEntries(own) },
    isValidated: true,
    forms: { [ORD_CONTENT_TYPES.json]: {}, [ORD_CONTENT_TYPES.xml]: {} },
  };
}

const TOKEN_ERRORS = {
  401: 'The token is missing or not valid.',
  403: 'The token does not allow this.',
};

const ERRORS = {
  404: 'There is no such record.',
  406: 'The search has no parameters, or a parameter or the format is unknown or not valid.',
  429: 'Too many requests.',
  503: 'The server has no edition, or is overloaded.',
};

const ERROR_SCHEMA = objectOf({
  errorCode: { type: 'integer' },
  errorText: TEXT,
  errorHint: TEXT,
});
