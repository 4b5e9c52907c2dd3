/** Puts a text on one line: an email's subject can't span several, nor can a name. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
}
