/** Named arrays of numbers: the form in which an edition's data is built, stored and shared. */

export type NumberArray = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/** Names are `kebab-case`, with dots between parts: `name.suffixes`. */
export type NamedArrays = Readonly<Record<string, NumberArray>>;
