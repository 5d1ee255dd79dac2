/** Requests for many codes: `$expand`, `$validate-code`, and lists and tables of codes and names. */

import type { Edition } from '../../src/directory/edition/edition.ts';
import { CODE_SERVICE_NAMES } from '../../src/interfaces/questions/service.ts';
import { ORGANIZATION_PROPERTIES } from '../../src/interfaces/r4/terminology/systems/organization-properties.ts';
import { LISTENER_LIMITS } from '../../src/server/http-listener.ts';
import { createAsk, DIRECTORY, TAKES_ALL } from './ask.ts';
import type { Input } from './shapes.ts';

export function terminologyOf(edition: Edition): Input[] {
  const ask = createAsk(edition, TAKES_ALL);
  const post =
    (path: string, type: string, query = '') =>
    (text: string) =>
      ask({ method: 'POST', path, query, headers: { 'content-type': type } }, text);
  const expand = (format: string): Input => ({
    name: `$expand in ${format}`,
    bytesMax: LISTENER_LIMITS.bodyBytesMax,
    isRequest: true,
    hasTurns: true,
    frames: EXPAND_FRAMES,
    tokens: PROPERTIES.map(propertyParameter),
    timesMax: 1,
    read: post('/R4/ValueSet/$expand', 'application/fhir+json', `_format=${format}`),
  });
  return [
    expand('json'),
    expand('xml'),
    {
      name: '$validate-code',
      bytesMax: LISTENER_LIMITS.bodyBytesMax,
      isRequest: true,
      frames: [VALIDATE_FRAME],
      tokens: [`{"system":"${SYSTEM}","code":"X№"},`, '{"code":"RTG"},', '{"code":"№"},', '{},'],
      read: post('/R4/CodeSystem/$validate-code', 'application/fhir+json'),
    },
    ...CODE_SERVICE_NAMES.flatMap((name): Input[] => [
      {
        name: `table of /${name}`,
        ...QUESTION,
        frames: [...WIDTHS.map((width) => `${COLUMN[name] ?? 'code'}${','.repeat(width)}\n…`)],
        tokens: CELLS.map((cell) => `${cell}\n`),
        timesMax: name === 'match' ? NAMES_MAX : 1000,
        read: post(`/${name}`, 'text/csv'),
      },
      {
        name: `list of /${name}`,
        ...QUESTION,
        frames: [`{"${COLUMN[name] ?? 'code'}s":[…"A"]}`],
        tokens: CELLS.map((cell) => `"${cell}",`),
        timesMax: name === 'match' ? NAMES_MAX : 999,
        read: post(`/${name}`, 'application/json'),
      },
    ]),
  ];
}

const QUESTION = { bytesMax: LISTENER_LIMITS.formBytesMax, isRequest: true, hasTurns: true };

/** The column that a question needs, if it is not `code`. */
const COLUMN: Readonly<Record<string, string>> = { match: 'name', postcodes: 'postcode' };
/** More names take seconds, and the same turns. */
const NAMES_MAX = 50;
/** The number of further columns: none, the most, and more. */
const WIDTHS = [0, 199, 60_000];
const CELLS = [
  'RTG',
  'A81001',
  'X№',
  '5HL18',
  'LS1 4AP',
  'the',
  'surgery',
  'the medical centre',
  'leeds nhs trust',
  'royal infirmry',
  'st jame',
  'a b c d e f g h i j k l m n o p',
  '№',
];

const SYSTEM = DIRECTORY.organizationCodeSystem;
const PROPERTIES = ORGANIZATION_PROPERTIES.map(({ code }) => code);
const propertyParameter = (code: string) => `{"name":"property","valueCode":"${code}"},`;

const VALIDATE_FRAME =
  '{"resourceType":"Parameters","parameter":[{"name":"url","valueUri":"' +
  `${SYSTEM}"},{"name":"codeableConcept","valueCodeableConcept":{"coding":[…{"code":"A"}]}}]}`;

/** As many codes as a request can have with so many properties. */
const EXPAND_FRAMES = [
  ['*'],
  PROPERTIES.slice(0, 9),
  PROPERTIES.slice(-9),
  ['name', 'role', 'ICB', 'NHSER', 'telephone', 'address1', 'successor', 'predecessor', 'uprn'],
].map((codes) => {
  const count = Math.min(1000, Math.floor(9000 / (codes[0] === '*' ? PROPERTIES.length : 9)));
  return (
    '{"resourceType":"Parameters","parameter":[{"name":"valueSet","resource":{"resourceType":' +
    `"ValueSet","status":"active","compose":{"include":[{"system":"${SYSTEM}","filter":[{` +
    '"property":"lastChangeDate","op":"=","value":"ge1900-01-01"}]}]}}},' +
    `{"name":"count","valueInteger":${count}},…${codes.map(propertyParameter).join('').slice(0, -1)}]}`
  );
});
