/** The tables of parameters of all doors that are not FHIR. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FhirError } from '../../src/fhir/request/fhir-error.ts';
import { EVENT_PAGE_PARAMETERS } from '../../src/interfaces/events/parameters.ts';
import type { ParameterTable } from '../../src/interfaces/json/parameter-table.ts';
import { readQuery, readValue } from '../../src/interfaces/json/read-parameters.ts';
import { searchTable, syncTable } from '../../src/interfaces/ord/parameters.ts';
import {
  DAY_PARAMETER,
  inputTableOf,
  mainTableOf,
} from '../../src/interfaces/questions/question-parameters.ts';
import { QUESTIONS } from '../../src/interfaces/questions/questions.ts';
import { REPORT_PARAMETERS } from '../../src/interfaces/reports/csv/parameters.ts';
import { GENERAL_SEARCH, REPORT_SEARCH } from '../../src/interfaces/reports/search/body.ts';
import { LOOK_UP_PARAMETERS } from '../../src/web/matches/parameters.ts';
import { fc } from '../property.ts';
import { postcodeFile } from './places/postcode-rows.ts';

const today = () => '2026-11-24';

const POSTCODES = postcodeFile([]);

const TABLES: Readonly<Record<string, ParameterTable>> = {
  'ORD searches': searchTable(today, () => POSTCODES),
  'ORD sync': syncTable(today),
  'the report search': REPORT_SEARCH,
  'the general search': GENERAL_SEARCH,
  reports: REPORT_PARAMETERS,
  events: EVENT_PAGE_PARAMETERS,
  'the look-up page': LOOK_UP_PARAMETERS,
  ...Object.fromEntries(
    QUESTIONS.flatMap((question) => [
      [question.name, { ...inputTableOf(question), ...DAY_PARAMETER }],
      [`${question.name} of one`, { ...mainTableOf(question), ...DAY_PARAMETER }],
    ]),
  ),
};

/** Texts like those that people and programs send. */
const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 120 }),
  fc.constantFrom(
    '',
    ',',
    '0',
    '-1',
    '1e9',
    'RR8',
    'true',
    '2026-02-30',
    'LS1 4AP',
    '\u0301\u0301',
  ),
);

for (const [door, table] of Object.entries(TABLES)) {
  describe(`the table of ${door}`, () => {
    it('reads its own examples, alone and in one query', () => {
      for (const [name, row] of Object.entries(table)) {
        assert.notEqual(readValue(name, row.example, row), undefined, name);
        const query = new URLSearchParams({ [name]: row.example });
        const others = Object.entries(table).filter(([, { isRequired }]) => isRequired === true);
        for (const [other, { example }] of others) query.set(other, example);
        assert.notEqual(readQuery(query.toString(), table).values[name], undefined, name);
      }
    });

    it('reads any text, or refuses it with a sentence', () => {
      const row = fc.constantFrom(...Object.entries(table));
      fc.assert(
        fc.property(row, texts, ([name, parameter], text) => {
          try {
            assert.notEqual(readValue(name, text, parameter), undefined);
          } catch (error) {
            assert.ok(error instanceof FhirError, String(error));
            const [{ kind, diagnostics }] = error.issues;
            assert.match(kind, /^invalid-(?:parameter|value)$/);
            assert.ok(diagnostics.length < 400, diagnostics);
          }
        }),
      );
    });

    it('has a schema for every value, and words for people', () => {
      for (const [name, { kind, documentation }] of Object.entries(table)) {
        assert.equal(typeof kind.schema.type, 'string', name);
        assert.match(documentation ?? '', /^\S.*[.`\w]$/s, name);
      }
    });
  });
}
