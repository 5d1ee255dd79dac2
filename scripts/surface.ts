/**
 * The surface of the program: what users rely on, as lines of text that can be compared. A file in
 * `test/surface/` has that of each version: `npm run surface` writes the one of this version.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMANDS } from '../src/cli/commands.ts';
import { EXIT_CODES } from '../src/cli/program.ts';
import { METRICS } from '../src/cli/serve/monitoring/metrics.ts';
import type { Setting } from '../src/config/settings/setting.ts';
import { SETTINGS, variableOf } from '../src/config/settings.ts';
import { SOFTWARE } from '../src/config/version.ts';
import { openApi } from '../src/fhir/statement/open-api.ts';
import { TABLES } from '../src/interfaces/files/tables/tables.ts';
import * as library from '../src/library/create-directory.ts';
import { LOG_PROBLEMS } from '../src/server/monitoring/log-problems.ts';
import { ROOT } from '../test/tidy/source-files.ts';
import { describedServices } from './described-services.ts';
import { libraryTypeFiles } from './library-types.ts';
import { reportColumnRows, reportLayoutRows } from './reference-reports.ts';

/** What a line says about each thing, by its kind and name: `setting log.requests`. */
export type Surface = ReadonlyMap<string, string>;

export const SURFACES = join(ROOT, 'test', 'surface');

export function surfaceOf(): Surface {
  return new Map([
    ...settingLines(),
    ...commandLines(),
    ...Object.entries(EXIT_CODES).map(([name, code]) => line('exit code', name, `${code}`)),
    ...METRICS.map(({ name, type, labels }) =>
      line('metric', name, [type, ...(labels ?? [])].join(' ')),
    ),
    ...Object.entries(LOG_PROBLEMS).map(([code, { level }]) => line('log code', code, level)),
    ...TABLES.flatMap(({ name: table, columns }) =>
      columns.map(({ name, type, isRequired }) =>
        line('column', `${table}.${name}`, isRequired ? `${type}, required` : type),
      ),
    ),
    ...[...reportColumnRows(), ...reportLayoutRows()].map(([name = '', ...texts]) =>
      line('report column', name, texts.join(' | ')),
    ),
    ...Object.keys(library)
      .sort()
      .map((name) => line('export', name, 'of the npm package')),
    ...typeLines(),
    ...interfaceLines(),
  ]);
}

/** As a file has it. */
export function textOf(surface: Surface): string {
  return [...surface].map(([name, text]) => `${name}: ${text}\n`).join('');
}

/** The surface that a file has. */
export function parseSurface(text: string): Surface {
  return new Map(
    text
      .split('\n')
      .filter((one) => one !== '')
      .map((one) => {
        const at = one.indexOf(': ');
        return [one.slice(0, at), one.slice(at + 2)] as const;
      }),
  );
}

type Line = readonly [name: string, text: string];

/** A name has no colon before a space, which ends it. */
function line(kind: string, name: string, text: string): Line {
  return [`${kind} ${name}`.replaceAll(': ', ' '), text.replaceAll(/\s+/g, ' ').trim()];
}

function settingLines(): readonly Line[] {
  return Object.entries(SETTINGS).map(([path, setting]: [string, Setting]) => {
    const value = setting.defaultValue === undefined ? 'none' : String(setting.defaultValue);
    return line('setting', path, `${setting.argument}, default ${value}, ${variableOf(path)}`);
  });
}

function commandLines(): readonly Line[] {
  return COMMANDS.flatMap(({ name, argument, options = [], settings }) => [
    line('command', name, argument?.syntax ?? 'without an argument'),
    ...options.map(({ syntax, isRepeatable }) =>
      line('option', `${name} ${flagOf(syntax)}`, isRepeatable ? `${syntax}, repeatable` : syntax),
    ),
    ...settings.map((setting) => line('option', `${name} setting ${setting}`, 'a setting')),
  ]);
}

function flagOf(syntax: string): string {
  return syntax.replace(/ .*/, '');
}

/** The types of the npm package, without their comments. */
function typeLines(): readonly Line[] {
  return libraryTypeFiles().flatMap((path) => {
    const text = readFileSync(join(ROOT, 'src', path), 'utf8').replaceAll(COMMENTS, '');
    return text.split(/^export /m).flatMap((declaration) => {
      const [, kind, name = ''] =
        /^(interface|type|class|(?:async )?function) (\w+)/.exec(declaration) ?? [];
      if (kind === undefined) return [];
      const isCode = kind !== 'interface' && kind !== 'type';
      return [line('type', name, isCode ? signatureOf(declaration) : declaration)];
    });
  });
}

const COMMENTS = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;

/** A function or a class without its body. */
function signatureOf(declaration: string): string {
  return declaration.slice(0, declaration.search(/ \{\n/));
}

/** Each operation, its parameters, and the statuses and media types of its answers. */
function interfaceLines(): readonly Line[] {
  const { services, plainServices } = describedServices();
  const { paths } = openApi(services, SOFTWARE, plainServices);
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) => {
      const name = `${method.toUpperCase()} ${path}`;
      const described = operation as DescribedOperation;
      const statuses = Object.entries(described.responses ?? {}).map(
        ([status, { content = {} }]) =>
          status === '200' ? [status, ...Object.keys(content)].join(' ') : status,
      );
      return [
        line('operation', name, statuses.join('; ')),
        ...(described.parameters ?? []).map((parameter) =>
          line(
            'parameter',
            `${name} ${parameter.in} ${parameter.name}`,
            textOfParameter(parameter),
          ),
        ),
      ];
    }),
  );
}

interface DescribedOperation {
  readonly parameters?: readonly DescribedParameter[];
  readonly responses?: Readonly<Record<string, { readonly content?: object }>>;
}

interface DescribedParameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: { readonly type?: string; readonly format?: string; readonly enum?: unknown[] };
}

function textOfParameter({ required, schema = {} }: DescribedParameter): string {
  const { type = 'any', format, enum: values } = schema;
  const parts = [required ? 'required' : 'optional', type, format, values?.join('|')];
  return parts.filter((part) => part !== undefined).join(' ');
}

if (import.meta.main) {
  mkdirSync(SURFACES, { recursive: true });
  const path = join(SURFACES, `${SOFTWARE.version}.txt`);
  writeFileSync(path, textOf(surfaceOf()));
  console.log(`${path}: ${readFileSync(path, 'utf8').split('\n').length - 1} lines`);
}
