/** The routes of a server for docs/reference/routes.md, derived from its services as the OpenAPI description is. */
import { SOFTWARE } from '../src/config/version.ts';
import type { PlainService, Service } from '../src/fhir/service/interaction.ts';
import { createRouteTable, SYSTEM_TYPE } from '../src/fhir/service/route-table.ts';
import { openApiDownload } from '../src/fhir/statement/open-api.ts';
import { OPERATION_PATHS } from '../src/server/monitoring/operation-server.ts';
import { describedServices } from './described-services.ts';

type Row = readonly string[];

/** A chapter for each service, with a table of its routes. */
export function routesText(): string {
  const { services, plainServices, web } = describedServices();
  const { url, documentation } = openApiDownload(services, SOFTWARE, plainServices);
  const others = web.routes.map(({ method, path }) => [method ?? 'GET', code(path)]);
  return [
    ...services.map((service) => chapter(titleOf(service), serviceRows(service))),
    ...plainServices.map((service) => chapter(titleOf(service), plainRows(service))),
    chapter('The whole server', [
      ['GET', code(new URL(url).pathname), code('download'), documentation],
    ]),
    `## Pages\n\n${table(['Method', 'Path'], others)}`,
    `## Health and metrics\n\n${table(
      ['Method', 'Path'],
      OPERATION_PATHS.map((path) => ['GET', code(path)]),
    )}`,
  ].join('\n\n');
}

function titleOf({ title, name }: Pick<Service, 'title' | 'name'>): string {
  return `${title.replace(/^[a-z]/, (letter) => letter.toUpperCase())} (${code(name)})`;
}

function chapter(title: string, rows: readonly Row[]): string {
  return `## ${title}\n\n${table(['Method', 'Path', 'Interaction', 'Answer'], rows)}`;
}

function serviceRows(service: Service): Row[] {
  const routes = createRouteTable(service).endpoints.flatMap(({ name, type, interactions }) =>
    [...interactions].flatMap(([method, interaction]) => {
      if (method === 'HEAD') return [];
      const { summary } = interaction.describe(service, type);
      const path = code(`${new URL(service.baseUrl).pathname.replace(/\/$/, '')}/${name}`);
      const of = type.name === SYSTEM_TYPE ? '' : ` of ${code(type.name)}`;
      return [[method, path, `${code(interaction.code)}${of}`, summary]];
    }),
  );
  const downloads = service.downloads.map(({ url, documentation }) => [
    'GET',
    code(new URL(url).pathname),
    code('download'),
    documentation,
  ]);
  return [...routes, ...downloads];
}

function plainRows({ baseUrl, operations }: PlainService): Row[] {
  return Object.entries(operations).flatMap(([path, byMethod]) =>
    Object.entries(byMethod).map(([method, { operationId, summary }]) => [
      method.toUpperCase(),
      code(`${new URL(baseUrl).pathname}${path === '' ? '' : `/${path}`}`),
      code(String(operationId)),
      String(summary),
    ]),
  );
}

function table(head: Row, rows: readonly Row[]): string {
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

function code(text: string): string {
  return `\`${text}\``;
}
