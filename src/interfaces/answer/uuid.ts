/** Identifiers that are the same for the same text. */
import { hash } from 'node:crypto';

/** A UUID of version 5, by the form of its digits. */
export function uuidOf(text: string): string {
  return uuidOfDigits(hash('sha1', text, 'hex'));
}

/** `digits`: those of a SHA-1 hash. */
export function uuidOfDigits(digits: string): string {
  const part = (start: number, end: number) => digits.slice(start, end);
  const variant = (8 | (Number.parseInt(part(16, 17), 16) & 3)).toString(16);
  return `${part(0, 8)}-${part(8, 12)}-5${part(13, 16)}-${variant}${part(17, 20)}-${part(20, 32)}`;
}
