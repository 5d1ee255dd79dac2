/** Arrays in shared memory, which all threads read without a copy. */
import type { NamedArrays, NumberArray } from '../../directory/arrays/arrays.ts';

/** An array without its content. */
export interface ArrayForm {
  readonly name: string;
  readonly type: ElementType;
  /** In elements. */
  readonly length: number;
}

type ElementType = keyof typeof ELEMENTS;

const ELEMENTS = {
  uint8: { bytes: 1, over: (...part: Part) => new Uint8Array(...part) },
  uint16: { bytes: 2, over: (...part: Part) => new Uint16Array(...part) },
  uint32: { bytes: 4, over: (...part: Part) => new Uint32Array(...part) },
  float64: { bytes: 8, over: (...part: Part) => new Float64Array(...part) },
} as const;

type Part = readonly [memory: SharedArrayBuffer, start: number, length: number];

/**
 * Makes arrays of zeros.
 *
 * All arrays share one piece of memory, so that the system gets it back as a whole. Separate arrays
 * may come from the heap of the C library (glibc does so up to 32 MiB, once a large one was freed),
 * which does not return freed memory below memory in use. A reference to one array keeps all of them.
 */
export function createSharedArrays(forms: readonly ArrayForm[]): NamedArrays {
  const bytes = forms.reduce((sum, form) => sum + alignedBytesOf(form), 0);
  const memory = new SharedArrayBuffer(Math.max(bytes, MEMORY_BYTES_MIN));
  const arrays: Record<string, NumberArray> = {};
  let start = 0;
  for (const form of forms) {
    arrays[form.name] = arrayOver(form, memory, start);
    start += alignedBytesOf(form);
  }
  return arrays;
}

/** Copies arrays into shared memory. */
export function shareArrays(arrays: NamedArrays): NamedArrays {
  const forms = Object.entries(arrays).map(([name, array]) => formOf(name, array));
  if (forms.length === 0) return {};
  const shared = createSharedArrays(forms);
  for (const { name } of forms) shared[name]!.set(arrays[name]!);
  return shared;
}

export function formOf(name: string, array: NumberArray): ArrayForm {
  return { name, type: elementTypeOf(array), length: array.length };
}

export function byteLengthOf({ type, length }: ArrayForm): number {
  return length * ELEMENTS[type].bytes;
}

/** An array over a part of shared memory, which starts at a multiple of 8. */
export function arrayOver(
  { type, length }: ArrayForm,
  memory: SharedArrayBuffer,
  start: number,
): NumberArray {
  return ELEMENTS[type].over(memory, start, length);
}

/** More than glibc takes from its heap. Pages that are never written use no memory. */
const MEMORY_BYTES_MIN = 33 * 1024 ** 2;

/** Rounded up, so that an array of any type can follow. */
export function alignedBytesOf(form: ArrayForm): number {
  return Math.ceil(byteLengthOf(form) / ELEMENTS.float64.bytes) * ELEMENTS.float64.bytes;
}

function elementTypeOf(array: NumberArray): ElementType {
  if (array instanceof Uint8Array) return 'uint8';
  if (array instanceof Uint16Array) return 'uint16';
  return array instanceof Uint32Array ? 'uint32' : 'float64';
}
