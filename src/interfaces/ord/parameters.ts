/**
 * The parameters of ORD, in one table for each path. Messages about them are those of the national
 * service.
 */

import { NEAR_DOCUMENTATION, type PostcodesOf, requireNear } from '../../directory/ask/near.ts';
import { pastedCode } from '../../directory/edition/source-record.ts';
import { postalCodeBeginning, tokenCriterion } from '../../directory/index/organization-index.ts';
import { dayPeriod } from '../../directory/record/day.ts';
import { ALTERNATIVES_MAX } from '../../fhir/search/parse-search-query.ts';
import { TEXT } from '../json/json-schema.ts';
import { type Kind, mappedKind, numberKind, TEXT_KIND } from '../json/kinds.ts';
import { type ParameterRow, tableOf } from '../json/parameter-table.ts';
import { LIMIT_DEFAULT, type OrdValue } from './query.ts';

/** A parameter of ORD whose text becomes what it sets. */
type OrdParameter = ParameterRow<OrdValue>;

/** `today` is the current date in England, `YYYY-MM-DD`. */
function lastChangeDate(today: () => string): OrdParameter {
  return {
    documentation: 'Changed on or after a date: `YYYY-MM-DD`, not in the future.',
    kind: kindOf((text) => {
      const day = dayPeriod(text);
      if (day === undefined) return undefined;
      return {
        criterion: { type: 'date', field: 'lastUpdated', values: [{ prefix: 'ge', ...day }] },
      };
    }),
    example: '2026-06-01',
    checks: [
      {
        isMet: (text) => text <= today(),
        text: 'Supplied LastChangeDate is in the future.',
      },
    ],
    texts: { invalid: 'Invalid date format.' },
  };
}

/** The rule is not shown, because each parameter has the text of the national service. */
function kindOf(parse: (text: string) => OrdValue | undefined): Kind<OrdValue> {
  return { schema: TEXT, rule: 'is not valid', parse };
}

const NAME: OrdParameter = {
  documentation:
    'The name contains this text, in any case: 3 to 100 letters from A to Z, digits, spaces and `_@&.()\'"/:,+;-`. Without its accents, a name is found too.',
  kind: kindOf((text) => ({
    criterion: { type: 'string', field: 'name', match: 'contains', values: [text] },
  })),
  example: 'leeds',
  checks: [
    {
      isMet: (text) => text.trim().length >= 3,
      text: 'Supplied Name needs a minimum of 3 Characters.',
    },
    {
      isMet: (text) => text.length <= 100,
      text: 'Supplied Name too long, max 100 Characters.',
    },
    {
      isMet: (text) => /^[A-Za-z0-9_@&.()'" /:,+;-]*$/.test(text),
      text: 'Supplied Name has invalid Character/s.',
    },
  ],
};

const POST_CODE: OrdParameter = {
  documentation:
    'The postcode begins with this text, with or without its space: `LS1` also finds LS10. ' +
    '2 to 8 characters, and a letter and a digit among them.',
  kind: kindOf((text) => {
    const spaced = text.trimStart().replace(/ +/g, ' ');
    return POST_CODE_TEXT.test(spaced) ? { criterion: postalCodeBeginning(spaced) } : undefined;
  }),
  example: 'LS1',
  texts: {
    invalid:
      'Supplied PostCode must have 2 to 8 characters, and a letter and a digit among them, such ' +
      'as LS1 or LS1 4AP.',
  },
};

const POST_CODE_TEXT = /^(?=.*[A-Z])(?=.*[0-9])[A-Z0-9 ]{2,8}$/i;

const STATUS: OrdParameter = {
  documentation: '`Active` or `Inactive`, in any case.',
  kind: statusKind((isActive) => ({ criterion: tokenCriterion('active', [String(isActive)]) })),
  example: 'Active',
  texts: { invalid: 'Supplied Status must be Active or Inactive' },
};

function statusKind(toValue: (isActive: boolean) => OrdValue): Kind<OrdValue> {
  return kindOf((text) => {
    const status = text.toLowerCase();
    return status === 'active' || status === 'inactive' ? toValue(status === 'active') : undefined;
  });
}

const RECORD_CLASS: OrdParameter = {
  documentation: '`RC1` for organisations, `RC2` for sites.',
  kind: kindOf((text) => {
    const [, code] = /^RC([12])$/i.exec(text) ?? [];
    return code === undefined ? undefined : { criterion: tokenCriterion('recordClass', [code]) };
  }),
  example: 'RC1',
  texts: { invalid: 'Supplied OrgRecordClass must be RC1 or RC2' },
};

/** A parameter whose value is the id of a role: `RO197`. */
function roleParameter(
  name: string,
  field: 'primaryRole' | 'otherRole',
  documentation: string,
): OrdParameter {
  return {
    documentation,
    kind: kindOf((text) => {
      const code = codeOf(text, 'RO');
      return code === undefined ? undefined : { criterion: tokenCriterion(field, [code]) };
    }),
    example: 'RO197',
    texts: { invalid: idText(name, 'RO197') },
  };
}

const ROLES: OrdParameter = {
  documentation: 'Any of these roles, separated by commas.',
  kind: idsKind('RO', (codes) => ({ criterion: tokenCriterion('role', codes) })),
  example: 'RO197,RO177',
  checks: [notMoreIds('Roles')],
  texts: { invalid: idText('Roles', 'RO197') },
};

const RELATIONSHIP_TYPES: OrdParameter = {
  documentation: 'Has a relationship of one of these types, such as `RE4,RE6`.',
  kind: idsKind('RE', (types) => ({ relationship: { types } })),
  example: 'RE4,RE6',
  checks: [notMoreIds('RelTypeId')],
  texts: { invalid: idText('RelTypeId', 'RE4') },
};

/** Ids separated by commas. */
function idsKind(
  prefix: 'RO' | 'RE',
  toValue: (codes: readonly string[]) => OrdValue,
): Kind<OrdValue> {
  return kindOf((text) => {
    const ids = text.split(',');
    const codes = ids.flatMap((id) => codeOf(id, prefix) ?? []);
    return codes.length === ids.length ? toValue(codes) : undefined;
  });
}

function notMoreIds(name: string): NonNullable<OrdParameter['checks']>[number] {
  return {
    isMet: (text) => text.split(',').length <= ALTERNATIVES_MAX,
    text: `Supplied ${name} has more than ${ALTERNATIVES_MAX} values`,
  };
}

function idText(name: string, example: string): string {
  return `Supplied ${name} must be 3 to 10 letters and digits, such as ${example}`;
}

/** `RO197` → `197`, which is taken too. An id with another prefix matches nothing. */
function codeOf(text: string, prefix: 'RO' | 'RE'): string | undefined {
  const id = pastedCode(text);
  if (!/^[A-Za-z0-9]{3,10}$/.test(id)) return undefined;
  const upper = id.toUpperCase();
  return upper.startsWith(prefix) ? upper.slice(prefix.length) : id;
}

const RELATIONSHIP_TARGET: OrdParameter = {
  documentation: 'Has a relationship to the organisation with this code.',
  kind: kindOf((text) => {
    const code = pastedCode(text);
    if (!/^[A-Za-z0-9]{1,64}$/.test(code)) return undefined;
    return { relationship: { targets: [code, code.toUpperCase()] } };
  }),
  example: 'QWO',
  texts: { invalid: 'Supplied TargetOrgId must be the code of an organisation' },
};

const RELATIONSHIP_STATUS: OrdParameter = {
  documentation: 'Has a relationship that is `active` or `inactive`, in any case.',
  kind: statusKind((isActive) => ({ relationship: { isActive } })),
  example: 'active',
  texts: { invalid: 'Supplied RelStatus must be Active or Inactive' },
};

const LIMIT_MAX = 1000;

const LIMIT: OrdParameter = {
  documentation: 'The most organisations in the answer: 1 to 1,000. Without it: 20.',
  kind: mappedKind(
    numberKind({ min: 1, max: LIMIT_MAX, preset: LIMIT_DEFAULT }, 'from 1 to 1,000'),
    (limit) => ({ limit }),
  ),
  example: '5',
  texts: { invalid: `Supplied Limit must be between 1 and ${LIMIT_MAX}` },
};

const OFFSET: OrdParameter = {
  documentation: 'The number of organisations to skip: 1 or more. Leave it out to skip none.',
  kind: mappedKind(numberKind({ min: 1 }, '1 or more'), (offset) => ({ offset })),
  example: '20',
  // Spelled as the national service spells it.
  texts: { invalid: 'Suppied Offset must be greater than 1' },
};

const EDITION: OrdParameter = {
  documentation: 'The edition of the directory that the links of an answer belong to.',
  kind: {
    ...mappedKind(numberKind({ min: 0 }, '0 or more'), (edition) => ({ edition })),
    schema: TEXT,
  },
  example: '7',
  texts: { invalid: 'Supplied _edition must be the number of an edition' },
};

/** Content negotiation reads its value. */
export const FORMAT_TABLE = tableOf({
  _format: {
    documentation: 'json or xml, or a media type of either. It overrides Accept.',
    kind: mappedKind(TEXT_KIND, () => ({})),
    example: 'json',
  },
});

function nearParameter(postcodesOf: PostcodesOf): OrdParameter {
  return {
    documentation: NEAR_DOCUMENTATION,
    kind: kindOf((text) => ({ criterion: requireNear(text, postcodesOf(), 'Near') })),
    example: '53.79,-1.55|5',
  };
}

export type OrdTable = Readonly<Record<string, OrdParameter>>;

/** The parameters of `organisations?…`. */
export function searchTable(today: () => string, postcodesOf: PostcodesOf): OrdTable {
  return {
    Name: NAME,
    PostCode: POST_CODE,
    Near: nearParameter(postcodesOf),
    LastChangeDate: lastChangeDate(today),
    Status: STATUS,
    PrimaryRoleId: roleParameter(
      'PrimaryRoleId',
      'primaryRole',
      'The primary role, such as `RO197`.',
    ),
    NonPrimaryRoleId: roleParameter(
      'NonPrimaryRoleId',
      'otherRole',
      'A role that is not the primary role.',
    ),
    Roles: ROLES,
    OrgRecordClass: RECORD_CLASS,
    RelTypeId: RELATIONSHIP_TYPES,
    TargetOrgId: RELATIONSHIP_TARGET,
    RelStatus: RELATIONSHIP_STATUS,
    Limit: LIMIT,
    Offset: OFFSET,
    _edition: EDITION,
    ...FORMAT_TABLE,
  };
}

/** The parameters of `sync?…`. */
export function syncTable(today: () => string): OrdTable {
  return { LastChangeDate: lastChangeDate(today), ...FORMAT_TABLE };
}
