/** Tables of single figures, each with its unit and its aim. */
import { aimCell, type Cell, type Table } from './figures.ts';

export function valueRow(name: string, what: string, value: number, unit: string): Cell[] {
  return [name, what, value, unit, aimCell(name, 'value', value)];
}

export function valueTable(name: string, title: string, rows: readonly Cell[][]): Table {
  return { name, title, columns: ['case', 'what', 'value', 'unit', 'aim'], rows };
}
