/** Where a writer last put the entry of each row: ten bytes for each row. */
export class Places {
  /** The number of the slab that the row's entry is in. */
  readonly slabs: Uint32Array;
  /** Where in the slab it begins. */
  readonly offsets: Uint32Array;
  /** The length in bytes; 0 if the entry was not written or is too long. */
  readonly lengths: Uint16Array;

  constructor(rows: number) {
    this.slabs = new Uint32Array(rows);
    this.offsets = new Uint32Array(rows);
    this.lengths = new Uint16Array(rows);
  }

  note(row: number, slab: number, offset: number, length: number): void {
    this.slabs[row] = slab;
    this.offsets[row] = offset;
    this.lengths[row] = length > LENGTH_MAX ? 0 : length;
  }
}

const LENGTH_MAX = 0xffff;
