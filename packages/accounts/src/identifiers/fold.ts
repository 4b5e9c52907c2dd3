/**
 * The key for comparing names and addresses: NFKC, then case folding, repeated until nothing changes, so
 * folding twice changes nothing. (Unicode Standard Annex 31, "toNFKC_Casefold", as far as JavaScript offers
 * it: upper case first, because only that makes ß and ss, ſ and s, Σ and ς equal.)
 */
export function fold(text: string): string {
  let folded = text
  for (let round = 0; round < 4; round += 1) {
    const next = folded.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC')
    if (next === folded) break
    folded = next
  }
  return folded
}

/** The number of code points, as people and NIST SP 800-63B-4 count characters. */
export function codePoints(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}
