/**
 * A cell of a CSV file that we write. A spreadsheet takes a cell that begins with one of these for a formula, so such a
 * cell gets an apostrophe in front ("CSV Injection", OWASP). One that begins with apostrophes and then such a character
 * gets another one: whoever takes one apostrophe off such cells has every value as it was.
 */
export function csvCell(text: string): string {
  const harmless = /^'*[=+\-@\t\r\n\uff0b\uff0d\uff1d\uff20]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
