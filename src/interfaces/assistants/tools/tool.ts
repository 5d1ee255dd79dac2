/** What a tool of an assistant is, and how a call of it is answered. */

import { FhirError, RepeatableError } from '../../../fhir/request/fhir-error.ts';
import { createPauses, type Pause } from '../../../threads/pauses.ts';
import type { JsonSchema } from '../../json/json-schema.ts';
import { type Inputs, type InputValues, readInputs, schemaOf } from './inputs.ts';

/** A tool. It only reads the directory. */
export interface Tool {
  readonly name: string;
  /** For people: `Find organisations`. */
  readonly title: string;
  /** For assistants. */
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
  /** Rejects with a FhirError or a RangeError if the call must be changed. */
  answer(sent: unknown, call: ToolCall): Promise<object>;
}

/** A call, while it is answered. */
export interface ToolCall {
  /** Aborts when the client no longer waits for the answer. */
  readonly signal: AbortSignal;
  /**
   * To await after each piece of long work, if it gives a promise: only the end of a slice has one.
   * Throws or rejects when the client no longer waits for the answer.
   */
  readonly pause: Pause;
}

export interface ToolDefinition<Given extends Inputs>
  extends Pick<Tool, 'name' | 'title' | 'description'> {
  readonly inputs: Given;
  /** The schema of the answer. */
  readonly output: JsonSchema;
  answer(values: InputValues<Given>, call: ToolCall): object | Promise<object>;
}

export function createTool<Given extends Inputs>({
  inputs,
  output,
  answer,
  ...described
}: ToolDefinition<Given>): Tool {
  return {
    ...described,
    inputSchema: schemaOf(inputs),
    outputSchema: output,
    answer: async (sent, call) => answer(readInputs(inputs, sent), call),
  };
}

/** The result of a call, as the protocol has it: the answer twice, or what is wrong as a text. */
export interface ToolResult {
  readonly content: readonly [{ readonly type: 'text'; readonly text: string }];
  readonly structuredContent?: object;
  readonly isError: boolean;
}

export interface CallOptions {
  readonly signal: AbortSignal;
  /** That of the work of which the call is a part. */
  readonly pause?: Pause | undefined;
  onFault(fault: unknown): void;
}

/**
 * Never rejects, unless the signal aborts. `onFault` is called with what is neither the mistake of
 * the client nor explained by the error.
 */
export async function callTool(
  tool: Tool,
  sent: unknown,
  { signal, pause = createPauses(), onFault }: CallOptions,
): Promise<ToolResult> {
  const call: ToolCall = {
    signal,
    pause: () => {
      signal.throwIfAborted();
      return pause()?.then(() => signal.throwIfAborted());
    },
  };
  try {
    const answer = await answerRepeatable(tool, sent, call);
    const text = JSON.stringify(answer);
    return { content: [{ type: 'text', text }], structuredContent: answer, isError: false };
  } catch (error) {
    signal.throwIfAborted();
    return refusal(problemOf(error, onFault));
  }
}

/** An edition that is on the disk is there in a moment. */
async function answerRepeatable(tool: Tool, sent: unknown, call: ToolCall): Promise<object> {
  try {
    return await tool.answer(sent, call);
  } catch (error) {
    if (!(error instanceof RepeatableError)) throw error;
    await error.ready;
    return tool.answer(sent, call);
  }
}

function problemOf(error: unknown, onFault: (fault: unknown) => void): string {
  if (error instanceof FhirError) {
    return error.issues
      .map(({ diagnostics, hint }) => (hint === undefined ? diagnostics : `${diagnostics} ${hint}`))
      .join(' ');
  }
  if (error instanceof RangeError) return error.message;
  onFault(error);
  return 'The tool failed, and the fault was recorded. Another call of it may succeed.';
}

function refusal(text: string): ToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}
