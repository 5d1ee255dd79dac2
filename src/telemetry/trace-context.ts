/** The trace of a request, in the form of its headers. https://www.w3.org/TR/trace-context/ */

export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits: the caller's span. */
  readonly spanId: string;
  /** Bit 0: the caller records the trace. */
  readonly flags: number;
  /** The header `tracestate`; empty if there is none. */
  readonly state: string;
}

type HeaderValue = string | readonly string[] | undefined;

/** Undefined if `traceparent` is missing or not valid. A `tracestate` that is not valid is ignored. */
export function parseTraceContext(
  traceparent: HeaderValue,
  tracestate: HeaderValue,
): TraceContext | undefined {
  if (typeof traceparent !== 'string') return undefined;
  const [, version, traceId = '', spanId = '', flags = '', rest] = PARENT.exec(traceparent) ?? [];
  if (version === undefined || version === 'ff') return undefined;
  // Later versions may add fields. This program knows the fields of version 00.
  if (version === '00' && rest !== undefined) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return {
    traceId,
    spanId,
    flags: Number.parseInt(flags, 16) & KNOWN_FLAGS,
    state: parseState(tracestate),
  };
}

/** Whether the caller, or this program, records the trace. */
export function isSampled({ flags }: TraceContext): boolean {
  return (flags & SAMPLED) !== 0;
}

/** The headers of a request that continues the trace. */
export function traceHeaders({
  traceId,
  spanId,
  flags,
  state,
}: TraceContext): Readonly<Record<string, string>> {
  const traceparent = `00-${traceId}-${spanId}-${flags.toString(16).padStart(2, '0')}`;
  return { traceparent, ...(state !== '' && { tracestate: state }) };
}

const PARENT = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;

const SAMPLED = 0b01;

/** Sampled and random. The program passes other bits on as 0. */
const KNOWN_FLAGS = 0b11;

const MEMBERS_MAX = 32;
/** The specification requires at least 512 characters. A longer state is not passed on. */
const STATE_LENGTH_MAX = 4096;

function parseState(tracestate: HeaderValue): string {
  const text = [tracestate ?? []].flat().join(',');
  if (text.length > STATE_LENGTH_MAX) return '';
  const members = text
    .split(',')
    .map((member) => member.replace(/^[ \t]+|[ \t]+$/g, ''))
    .filter((member) => member !== '');
  const keys = new Set(members.map((member) => member.split('=', 1)[0]));
  const isValid = members.length <= MEMBERS_MAX && keys.size === members.length;
  return isValid && members.every((member) => MEMBER.test(member)) ? members.join(',') : '';
}

/** A key of letters, digits and `_-*\/`, with an optional tenant before `@`; a value of visible ASCII. */
const MEMBER =
  /^(?:[a-z][\da-z_*/-]{0,255}|[\da-z][\da-z_*/-]{0,240}@[a-z][\da-z_*/-]{0,13})=[ -+\--<>-~]{0,255}[!-+\--<>-~]$/;
