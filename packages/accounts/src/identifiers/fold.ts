/**
 * What names and addresses are compared by: NFKC, then case folding, repeated until nothing changes, so that the
 * fold of a fold is itself. (Unicode Standard Annex 31, "toNFKC_Casefold", by what JavaScript offers: upper case
 * first, since that alone makes ß and ss, ſ and s, Σ and ς one.)
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
