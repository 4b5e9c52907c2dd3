/**
 * Code points that a code may take as typed. A pasted one may bring the sentence before it, or an invisible character
 * after each of its own.
 */
export const maxTypedCode = 256

/**
 * The letters and digits of a code as somebody typed or pasted it: in ASCII capitals, digits of every script as 0 to 9.
 * Everything else is ignored: blanks, dashes, quotes, accents, invisible characters, and a label that ends with a colon,
 * as in "Your code: 123456".
 */
export function readCode(typed: string): string {
  return typed
    .normalize('NFKD')
    .replace(/^.*:(?=.*[\p{L}\p{N}])/su, '')
    .replace(/\p{Nd}/gu, digitOf)
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}

/** The ASCII digit of a decimal digit. Unicode encodes those of a script from zero to nine, sets may be adjacent. */
function digitOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let first = code
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first -= 1
  return String((code - first) % 10)
}
