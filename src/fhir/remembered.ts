/**
 * A function of a text that works out each of its values once: of a header, say, of which clients
 * send few different ones. What is long, or one of very many, is worked out each time.
 */
export function remembered<Result>(workOut: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, Result>();
  return (text) => {
    const result = known.get(text);
    if (result !== undefined || known.has(text)) return result as Result;
    const made = workOut(text);
    if (text.length > LENGTH_MAX) return made;
    if (known.size >= COUNT_MAX) known.clear();
    known.set(text, made);
    return made;
  };
}

const COUNT_MAX = 256;
const LENGTH_MAX = 512;
