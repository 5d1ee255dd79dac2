/**
 * Search parameters of stored resources, each with both halves: the index entries of a resource,
 * and the criterion of a value. https://hl7.org/fhir/DSTU2/search.html
 */
import type { Resource } from '../format/resource.ts';
import { unknownValue } from '../request/unknown-name.ts';
import type { FieldEntry, ResourceCriterion } from './criterion.ts';
import { DATE_PREFIXES, dateDiagnostics, dateEntries, parseDate } from './date.ts';
import { containedOf, type ElementPath, elementsAt, isType } from './elements-at.ts';
import { type CriterionParameter, criterionParameter } from './parameter.ts';
import { type Parsed, parseEach, refused } from './parsed.ts';
import { parseReference, referencedType, referenceEntries } from './reference.ts';
import { fold } from './string.ts';
import {
  type TokenCriterion,
  type TokenValue,
  tokenEntries,
  tokenTexts,
  tokenValueOf,
} from './token.ts';

/** What the parsers of values need to know. */
export interface ResourceContext {
  /** The base of the service, without a slash at the end. */
  readonly baseUrl: string;
}

export interface ResourceParameter extends CriterionParameter<ResourceCriterion, ResourceContext> {
  /** The entries of a resource. The repository adds those of `_id` and `_lastUpdated` itself. */
  readonly entriesOf: (resource: Resource) => readonly FieldEntry[];
  /** What decides the entries of a resource besides name and type. If this changes, stores rebuild their index. */
  readonly entriesForm: readonly unknown[];
}

/** What every parameter declares. */
interface Declaration {
  readonly name: string;
  readonly documentation: string;
  readonly otherNames?: readonly string[];
  readonly path: ElementPath;
  /** See `SearchParameter`. Absent: the types in the path. */
  readonly chain?: readonly string[];
}

/** The entries of all parameters of a type. */
export function entriesOf(
  resource: Resource,
  parameters: readonly ResourceParameter[],
): FieldEntry[] {
  return parameters.flatMap((parameter) => parameter.entriesOf(resource));
}

/** `system`: that of an element of type code, which does not name its system. */
export function resourceToken({
  name,
  path,
  system,
  codes,
  hasTexts = false,
  ...declared
}: Declaration & {
  readonly system?: string;
  /** All codes that the element can have. */
  readonly codes?: readonly string[];
  /** Whether the modifier `:text` searches texts about the codes. */
  readonly hasTexts?: boolean;
}): ResourceParameter {
  const textField = `${name}:text`;
  return storedParameter({
    ...declared,
    name,
    path,
    type: 'token',
    modifiers: hasTexts ? ['not', 'text'] : ['not'],
    entriesForm: [path, system, hasTexts],
    entriesOf: (resource) => {
      const entries: FieldEntry[] = [];
      for (const element of elementsAt(resource, path)) {
        for (const { system: own = system, code } of tokenEntries(element)) {
          entries.push(
            own === undefined ? { field: name, code } : { field: name, system: own, code },
          );
        }
        if (!hasTexts) continue;
        for (const text of tokenTexts(element)) {
          entries.push({ field: textField, folded: fold(text), exact: text });
        }
      }
      return entries;
    },
    parse: (alternatives, modifier) => {
      if (modifier === 'text') return parseText(name, textField, alternatives);
      // FHIR's `system|` is any code of the system.
      const [unknown] = alternatives.filter(
        (parts) => codes && ![...codes, ''].includes(parts.at(-1) ?? ''),
      );
      if (unknown !== undefined && codes !== undefined) {
        return refused('invalid-value', unknownValue(name, unknown.join('|'), codes));
      }
      return parseTokens(name, name, alternatives, (criterion) =>
        modifier === 'not' ? { type: 'not', criterion } : criterion,
      );
    },
  });
}

/** `targets`: the types that are indexed; references to others are not. */
export function resourceReference({
  name,
  path,
  targets,
  describes,
  ...declared
}: Declaration & {
  readonly targets: readonly string[];
  /**
   * Whether `:text` searches displays, and `:identifier` the identifiers of contained resources. A
   * name is that of the parameter that has these identifiers already.
   */
  readonly describes?: true | string;
}): ResourceParameter {
  const textField = `${name}:text`;
  const identifierField = typeof describes === 'string' ? describes : `${name}:identifier`;
  return storedParameter({
    ...declared,
    name,
    path,
    type: 'reference',
    modifiers: describes === undefined ? [] : ['identifier', 'text'],
    targets,
    entriesForm: [path, targets, describes],
    entriesOf: (resource) => {
      const entries: FieldEntry[] = [];
      for (const element of elementsAt(resource, path)) {
        const target = containedOf(resource, element);
        const contained = target?.resourceType;
        if (describes !== undefined) {
          for (const text of tokenTexts(element)) {
            entries.push({ field: textField, folded: fold(text), exact: text });
          }
        }
        if (describes === true) {
          for (const token of tokenEntries(target?.identifier)) {
            entries.push({ field: identifierField, ...token });
          }
        }
        for (const entry of referenceEntries(element)) {
          const type = contained ?? referencedType(entry);
          if (typeof type === 'string' && !targets.includes(type)) continue;
          entries.push({ field: name, id: entry.id, prefix: entry.prefix });
        }
      }
      return entries;
    },
    parse: (alternatives, modifier, { baseUrl }) => {
      if (modifier === 'text') return parseText(name, textField, alternatives);
      if (modifier === 'identifier') {
        return parseTokens(`${name}:identifier`, identifierField, alternatives);
      }
      const types = modifier === '' ? targets : [modifier];
      return parseEach(
        alternatives,
        (parts) => parseReference(parts, { types, baseUrl }),
        (values): ResourceCriterion => ({ type: 'reference', field: name, values }),
      );
    },
  });
}

export function resourceDate({ name, path, ...declared }: Declaration): ResourceParameter {
  return storedParameter({
    ...declared,
    name,
    path,
    type: 'date',
    modifiers: [],
    entriesForm: [path],
    entriesOf: (resource) => {
      const entries: FieldEntry[] = [];
      for (const element of elementsAt(resource, path)) {
        if (typeof element !== 'string') continue;
        for (const { start, end } of dateEntries(element))
          entries.push({ field: name, start, end });
      }
      return entries;
    },
    parse: (alternatives) =>
      parseEach(
        alternatives,
        (parts) => parseDate(parts, DATE_PREFIXES, dateDiagnostics(name, DATE_PREFIXES)),
        (values): ResourceCriterion => ({ type: 'date', field: name, values }),
      ),
  });
}

/** The parameters of every type. */
export const EVERY_TYPE_PARAMETERS: readonly ResourceParameter[] = [
  resourceToken({ name: '_id', path: [], documentation: 'The id of the resource.' }),
  resourceDate({
    name: '_lastUpdated',
    path: [],
    documentation: 'When the current version was written.',
  }),
].map((parameter) => ({ ...parameter, entriesOf: () => [] }));

/** The entries of `_id` and `_lastUpdated`, which only the repository knows. */
export function versionEntries(id: string, writtenAt: string): FieldEntry[] {
  return [{ field: '_id', code: id }, ...lastUpdatedEntries(writtenAt)];
}

/** An instant with milliseconds. */
export function lastUpdatedEntries(writtenAt: string): FieldEntry[] {
  const start = Date.parse(writtenAt);
  return [{ field: '_lastUpdated', start, end: start + 1 }];
}

/** Another name of a parameter. It has no entries, so no search is sorted by it. */
export function aliasOf(parameter: ResourceParameter, name: string): ResourceParameter {
  return { ...parameter, name, entriesOf: () => [] };
}

/** Adds what all parameters have: the modifier `:missing`, and repetition. */
export function storedParameter({
  modifiers,
  parse,
  path,
  chain = path.filter(isType),
  ...own
}: Omit<ResourceParameter, 'kind' | 'isCriterion' | 'isRepeatable'> &
  Pick<Declaration, 'path'>): ResourceParameter {
  const { name } = own;
  const parseAny: ResourceParameter['parse'] = (alternatives, modifier, context) => {
    if (modifier !== 'missing') return parse(alternatives, modifier, context);
    const text = alternatives.map((parts) => parts.join('|')).join(',');
    if (text === 'true' || text === 'false') {
      return { value: { type: 'missing', field: name, isMissing: text === 'true' } };
    }
    return refused('invalid-value', `${name}:missing must be true or false. Got "${text}".`);
  };
  const declared = { ...own, chain, modifiers: ['missing', ...modifiers] };
  return { ...declared, ...criterionParameter(declared, parseAny) };
}

function parseTokens(
  name: string,
  field: string,
  alternatives: readonly (readonly string[])[],
  criterionOf: (criterion: TokenCriterion) => ResourceCriterion = (criterion) => criterion,
): Parsed<ResourceCriterion> {
  return parseEach(
    alternatives,
    (parts): Parsed<TokenValue> => {
      const value = tokenValueOf(parts);
      if (value !== undefined) return { value };
      return refused(
        'invalid-value',
        `${name} "${parts.join('|')}" is not valid. Send code, system|code, |code or system|.`,
      );
    },
    (values) => criterionOf({ type: 'token', field, values }),
  );
}

function parseText(
  name: string,
  field: string,
  alternatives: readonly (readonly string[])[],
): Parsed<ResourceCriterion> {
  return parseEach(
    alternatives,
    (parts): Parsed<string> => {
      const value = parts.join('|');
      // A text of combining marks folds to an empty one, which would match every resource.
      if (fold(value).trim() !== '') return { value };
      return refused('invalid-value', `${name}:text is empty. Send the start of the text.`);
    },
    (values) => ({ type: 'string', field, match: 'startsWith', values }),
  );
}
