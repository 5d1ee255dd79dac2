/** A statement of conformance: a rule of FHIR, and the tests that show that the server follows it. */

export interface Chapter {
  /** In Markdown. */
  readonly title: string;
  readonly statements: readonly Statement[];
}

export interface Statement {
  readonly level: 'must' | 'should';
  /** In Markdown. */
  readonly rule: string;
  /** What the reference page says: a deviation from FHIR, or a choice that FHIR leaves open. In Markdown. */
  readonly choice?: string;
  /** The tests that show it, or the reason why there is no test. */
  readonly evidence: readonly TestTitle[] | string;
}

/** A file below `test/`, and the title of a test in it; `…` stands for any value of a table of cases. */
export type TestTitle = readonly [file: string, title: string];

export function must(rule: string, ...evidence: TestTitle[] | [string]): Statement {
  return statement('must', rule, evidence);
}

export function should(rule: string, ...evidence: TestTitle[] | [string]): Statement {
  return statement('should', rule, evidence);
}

/** A statement that the reference page reports, in these words. */
export function choice(text: string, about: Statement): Statement {
  return { ...about, choice: text };
}

function statement(
  level: Statement['level'],
  rule: string,
  evidence: TestTitle[] | [string],
): Statement {
  const [first] = evidence;
  if (typeof first === 'string') return { level, rule, evidence: first };
  return { level, rule, evidence: evidence.filter((one) => typeof one !== 'string') };
}
