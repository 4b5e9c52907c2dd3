/**
 * A cell of a CSV file that we write. Spreadsheets treat a cell that starts with one of these characters as a
 * formula, so it gets a leading apostrophe ("CSV Injection", OWASP). A cell of apostrophes followed by such a
 * character gets one more, so removing one apostrophe from such cells restores every value.
 */
export function csvCell(text: string): string {
  const harmless = /^'*[=+\-@\t\r\n\uff0b\uff0d\uff1d\uff20]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
