/** Numbers texts from 0, in the order in which they first appear. */
export class TextNumbers {
  readonly #numbers = new Map<string, number>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  get texts(): readonly string[] {
    return [...this.#numbers.keys()];
  }

  /** The number of the text. Undefined for a new text if there are too many. */
  numberOf(text: string): number | undefined {
    const known = this.#numbers.get(text);
    if (known !== undefined || this.#numbers.size >= this.#max) return known;
    const number = this.#numbers.size;
    this.#numbers.set(text, number);
    return number;
  }
}
