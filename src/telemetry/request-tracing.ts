/**
 * The spans of a server thread: for requests, for the interactions that answer them, and for plain
 * services. Names and attributes contain routes in place of paths, and no part of a query.
 * https://opentelemetry.io/docs/specs/semconv/http/http-spans/
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FhirResponse } from '../fhir/request/request.ts';
import type {
  MaybePromise,
  PlainService,
  Service,
  TypeContext,
} from '../fhir/service/interaction.ts';

import { isSampled, parseTraceContext } from './trace-context.ts';
import type { SpanStart, TraceSpan, Tracing } from './tracing.ts';

/**
 * Runs the answer to a request in its trace. Without a trace and without a recorder, it only runs
 * the answer.
 */
export function answerInTrace(
  tracing: Tracing,
): (outgoing: ServerResponse, answer: (outgoing: ServerResponse) => void) => void {
  const { recorder } = tracing;
  return (outgoing, answer) => {
    const { headers } = outgoing.req;
    if (headers.traceparent === undefined && recorder === undefined) {
      answer(outgoing);
      return;
    }
    const parent = parseTraceContext(headers.traceparent, headers.tracestate);
    if (recorder !== undefined) {
      const span = recorder.start(startOf(outgoing.req), parent);
      const isRecorded = isSampled(span.context);
      if (isRecorded) outgoing.once('close', () => endRequest(span, outgoing));
      tracing.continue(span.context, () => answer(outgoing), isRecorded ? span : undefined);
    } else if (parent !== undefined) {
      tracing.continue(parent, () => answer(outgoing));
    } else {
      answer(outgoing);
    }
  };
}

function startOf({ method = '' }: IncomingMessage): SpanStart {
  return { name: METHODS.has(method) ? method : 'HTTP', kind: 'server' };
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']);

/** A span has no status if the client disconnects before the answer. */
function endRequest(span: TraceSpan, { req, headersSent, statusCode }: ServerResponse): void {
  const { method = '', socket, httpVersion } = req;
  const attributes = {
    'http.request.method': METHODS.has(method) ? method : '_OTHER',
    'url.scheme': 'encrypted' in socket ? 'https' : 'http',
    'network.protocol.version': httpVersion,
    ...(headersSent && { 'http.response.status_code': statusCode }),
  };
  if (!headersSent) span.end({ attributes, error: 'disconnected' });
  else if (statusCode < 500) span.end({ attributes });
  else span.end({ attributes, error: String(statusCode) });
}

/** The service with a span for each run of an interaction. The same service without a recorder. */
export function traceService(service: Service, tracing: Tracing): Service {
  if (tracing.recorder === undefined) return service;
  const { pathname } = new URL(service.baseUrl);
  const base = pathname === '/' ? '' : pathname;
  const traced = <I extends TracedInteraction>(interaction: I, type: string): I => {
    const { code, method, path } = interaction;
    const route = path.replace('[type]', type).replaceAll(/\[(\w+)\]/g, '{$1}');
    const start = {
      name: `${code} ${type}`.trim(),
      kind: 'internal' as const,
      attributes: {
        'fhir.interaction': code,
        ...(type !== '' && { 'fhir.resource.type': type }),
      },
    };
    return {
      ...interaction,
      run: (context: TypeContext) => {
        nameRequest(tracing.request, method, `${base}/${route}`);
        return tracing.run(start, () => interaction.run(context));
      },
    };
  };
  return {
    ...service,
    interactions: service.interactions.map((interaction) => traced(interaction, '')),
    types: service.types.map((type) => ({
      ...type,
      interactions: type.interactions.map((interaction) => traced(interaction, type.name)),
    })),
  };
}

interface TracedInteraction {
  readonly code: string;
  readonly method: string;
  readonly path: string;
  run(context: TypeContext): MaybePromise<FhirResponse>;
}

/** As `traceService`. The keys of `operations` are the path templates of the service. */
export function tracePlainService(service: PlainService, tracing: Tracing): PlainService {
  if (tracing.recorder === undefined) return service;
  const { pathname } = new URL(service.baseUrl);
  const routes = Object.keys(service.operations).map((path) => ({
    route: `${pathname}/${path}`,
    pattern: new RegExp(`^/${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`),
  }));
  return {
    ...service,
    handle: (request, onFault) => {
      const path = request.path.startsWith(pathname) ? request.path.slice(pathname.length) : '';
      const found = routes.find(({ pattern }) => pattern.test(path));
      if (found !== undefined) nameRequest(tracing.request, request.method, found.route);
      return tracing.run({ name: service.name, kind: 'internal' }, () =>
        service.handle(request, onFault),
      );
    },
  };
}

/** Adds the route to the span of a request. */
export function nameRequest(request: TraceSpan | undefined, method: string, route: string): void {
  request?.rename(`${method} ${route}`, { 'http.route': route });
}
