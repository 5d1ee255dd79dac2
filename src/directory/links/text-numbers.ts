/** Numbers texts from 0, in the order in which they first appear. */
export class TextNumbers {
  readonly #numbers = new Map<string, number>();
  readonly #texts: string[] = [];
  readonly #max: number;
  #taken = 0;

  constructor(max: number) {
    this.#max = max;
  }

  get texts(): readonly string[] {
    return this.#texts;
  }

  /** The number of the text. Undefined for a new text if there are too many. */
  numberOf(text: string): number | undefined {
    const known = this.#numbers.get(text);
    if (known !== undefined || this.#texts.length >= this.#max) return known;
    const number = this.#texts.push(text) - 1;
    this.#numbers.set(text, number);
    return number;
  }

  /** Returns the texts that were added since the last call. */
  take(): readonly string[] {
    const texts = this.#texts.slice(this.#taken);
    this.#taken = this.#texts.length;
    return texts;
  }
}
