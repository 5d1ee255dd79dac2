/** The official JSON schema of R4, and a check of resources with it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import { r4 } from '../../src/fhir/definitions/published.ts';

export interface R4Schema {
  readonly definitions: Readonly<Record<string, R4SchemaType>>;
}

export interface R4SchemaType {
  readonly properties?: Readonly<Record<string, R4SchemaProperty>>;
  readonly required?: readonly string[];
  readonly oneOf?: readonly R4SchemaProperty[];
}

export interface R4SchemaProperty {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly items?: R4SchemaProperty;
}

/** The schema of 4.0.0, with the version number of 4.0.1. */
export function readR4Schema(): R4Schema {
  const text = readFileSync(join(import.meta.dirname, 'r4/fhir.schema.json'), 'utf8');
  return JSON.parse(text.replace(/"4\.0\.0"(?=\s*\])/, '"4.0.0", "4.0.1"'));
}

/** What the schema finds wrong with a resource. */
export function r4SchemaFindings(resource: { readonly resourceType: string }): readonly string[] {
  const { resourceType } = resource;
  const validate = (validators ??= compile()).get(resourceType);
  if (validate === undefined) return [`${resourceType} is not a resource that is served`];
  if (validate(resource)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

let validators: ReadonlyMap<string, ValidateFunction> | undefined;

/** Only resources that the program serves can be in a Bundle, so that compiling takes little time. */
function compile(): ReadonlyMap<string, ValidateFunction> {
  const { definitions } = readR4Schema();
  const reference = (name: string) => ({ $ref: `#/definitions/${name}` });
  const $id = 'http://hl7.org/fhir/json-schema/4.0';
  const ajv = new Ajv({ strict: false, allErrors: true });
  ajv.addSchema({
    $id,
    definitions: { ...definitions, ResourceList: { oneOf: r4.resourceTypes.map(reference) } },
  });
  return new Map(
    r4.resourceTypes.map((name) => [name, ajv.compile({ $ref: `${$id}#/definitions/${name}` })]),
  );
}
