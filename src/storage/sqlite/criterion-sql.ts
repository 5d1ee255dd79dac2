/** Compiles a token criterion to SQL over the index `resource_token`. */
import type { TokenCriterion, TokenValue } from '../../fhir/search/token.ts';

export interface CompiledQuery {
  readonly sql: string;
  readonly parameters: readonly string[];
}

/** Finds the ids of the resources of a type that match, in ascending order. */
export function compileToken(type: string, criterion: TokenCriterion): CompiledQuery {
  const { field, values, ignoreCase = false } = criterion;
  const conditions = values.map((value) => conditionOf(value, ignoreCase));
  const any = conditions.map(({ sql }) => `(${sql})`).join(' OR ') || 'FALSE';
  return {
    // CROSS JOIN: SQLite begins with the tokens, and not with all resources of the type.
    sql: `SELECT DISTINCT r.id FROM resource_token AS t CROSS JOIN resource AS r ON r.key = t.resource
      WHERE t.parameter = ? AND (${any}) AND r.resource_type = ? ORDER BY r.id`,
    parameters: [field, ...conditions.flatMap(({ parameters }) => parameters), type],
  };
}

function conditionOf({ system, code }: TokenValue, ignoreCase: boolean): CompiledQuery {
  const terms: string[] = [];
  const parameters: string[] = [];
  if (code !== undefined) {
    terms.push(ignoreCase ? 'code = ? COLLATE NOCASE' : 'code = ?');
    parameters.push(code);
  }
  if (system !== undefined) {
    terms.push('system = ?'); // an empty system matches codes without a system
    parameters.push(system);
  }
  return { sql: terms.join(' AND ') || 'TRUE', parameters };
}
