/** Finds the memory of the arrays in a message, which a thread transfers instead of copying. */

/** Omits arrays that share their memory with others: these are copied. */
export function transferablesOf(message: object): ArrayBuffer[] {
  const found = new Set<ArrayBuffer>();
  const visit = (value: unknown): void => {
    if (ArrayBuffer.isView(value)) {
      const { buffer, byteLength } = value;
      if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) found.add(buffer);
    } else if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      // Lists in messages contain only strings.
      Object.values(value).forEach(visit);
    }
  };
  visit(message);
  return [...found];
}
