/** A store of order responses in memory, with answers as the program gives them, that breaks once. */
import type { OrderAnswer, OrderClient } from './order-client.ts';

export type Break =
  | 'none'
  | 'lose a write'
  | 'store a write twice'
  | 'store a refused write'
  | 'read an old version'
  | 'leave a gap'
  | 'replace another version'
  | 'create two with one identifier'
  | 'find nothing';

/** The call that goes wrong, or the first one of its kind after it. */
const BREAK_AT = 1000;

export class BrokenStore {
  readonly #broken: Break;
  /** The mark of each version, by id. */
  readonly #resources = new Map<string, string[]>();
  readonly #byValue = new Map<string, string>();
  #calls = 0;
  #clock = 0n;
  #hasBroken = false;

  constructor(broken: Break) {
    this.#broken = broken;
  }

  readonly client: OrderClient = {
    create: async (mark, { value = '', isConditional = false } = {}) => {
      const known = isConditional ? this.#byValue.get(value) : undefined;
      if (known !== undefined && !this.#breaks('create two with one identifier')) {
        return this.#answer(200, known, 1);
      }
      const id = this.#add(mark);
      if (value !== '') this.#byValue.set(value, id);
      return this.#answer(201, id, 1);
    },
    update: async (id, mark, base) => {
      const marks = this.#marksOf(id);
      const isOther = base !== undefined && base !== marks.length;
      if (isOther && !this.#breaks('replace another version')) {
        if (this.#breaks('store a refused write')) marks.push(mark);
        return this.#answer(409);
      }
      if (this.#breaks('leave a gap')) marks.length++;
      marks.push(mark);
      return this.#answer(200, id, marks.length);
    },
    read: async (id) => {
      const marks = this.#marksOf(id);
      const isOld = marks.length > 1 && this.#breaks('read an old version');
      const version = isOld ? 1 : marks.length;
      return this.#found(resource(marks[version - 1], version));
    },
    readVersion: async (id, version) =>
      this.#found(resource(this.#marksOf(id)[version - 1], version)),
    history: async (id) => {
      const marks = this.#marksOf(id);
      return this.#found({ entry: [{ resource: resource(marks.at(-1), marks.length) }] });
    },
    search: async (value) => {
      const id = this.#byValue.get(value);
      const isFound = id !== undefined && !this.#breaks('find nothing');
      return this.#found({ entry: isFound ? [{ resource: { id } }] : [] });
    },
    changes: async () => this.#found({ entry: [] }),
  };

  /** Every mark with its address `id/version`. */
  stored(): [mark: string, address: string][] {
    return [...this.#resources].flatMap(([id, marks]) =>
      marks.flatMap((mark, at): [string, string][] => [[mark, `${id}/${at + 1}`]]),
    );
  }

  #add(mark: string): string {
    const id = `id${this.#resources.size}`;
    this.#resources.set(id, this.#breaks('lose a write') ? [] : [mark]);
    if (this.#breaks('store a write twice')) this.#resources.set(`copy of ${id}`, [mark]);
    return id;
  }

  #marksOf(id: string): string[] {
    return this.#resources.get(id) ?? [];
  }

  #breaks(what: Break): boolean {
    const isNow = this.#broken === what && this.#calls > BREAK_AT && !this.#hasBroken;
    this.#hasBroken ||= isNow;
    return isNow;
  }

  #found(body: object): OrderAnswer {
    return { ...this.#answer(200), text: JSON.stringify(body) };
  }

  #answer(status: number, id = '', version = 0): OrderAnswer {
    this.#calls++;
    return {
      status,
      text: '',
      headers: new Headers(),
      beganAt: this.#clock++,
      endedAt: this.#clock++,
      ...(version > 0 && { stored: { id, version } }),
    };
  }
}

function resource(mark = '', version = 0) {
  return { meta: { versionId: String(version) }, description: mark };
}
