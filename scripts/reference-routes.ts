/** The routes of a server for docs/reference/routes.md, derived from its services as the OpenAPI description is. */
import type { Service } from '../src/fhir/service/interaction.ts';
import { OPERATION_PATHS } from '../src/server/monitoring/operation-server.ts';
import { describedServices } from './described-services.ts';
import {
  type DescribedRoute,
  openApiRoute,
  pageRoutes,
  plainRoutes,
  serviceRoutes,
} from './server-routes.ts';

type Row = readonly string[];

/** A chapter for each service, with a table of its routes. */
export function routesText(): string {
  const described = describedServices();
  const { services, plainServices } = described;
  const pages = pageRoutes(described).map(({ method, path }) => [method, code(path)]);
  return [
    ...services.map((service) => chapter(titleOf(service), rowsOf(serviceRoutes(service)))),
    ...plainServices.map((service) => chapter(titleOf(service), rowsOf(plainRoutes(service)))),
    chapter('The whole server', rowsOf([openApiRoute(described)])),
    `## Pages\n\n${table(['Method', 'Path'], pages)}`,
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

function rowsOf(routes: readonly DescribedRoute[]): Row[] {
  return routes.map(({ method, path, interaction, type, summary }) => {
    const of = type === undefined ? '' : ` of ${code(type)}`;
    return [method, code(path), `${code(interaction)}${of}`, summary];
  });
}

function table(head: Row, rows: readonly Row[]): string {
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

function code(text: string): string {
  return `\`${text}\``;
}
