/**
 * The key for comparing names and addresses: NFKC without invisible characters, then case folding, repeated until nothing
 * changes, so folding twice changes nothing. (Unicode Standard Annex 31, "toNFKC_Casefold", as far as JavaScript offers
 * it: upper case first, because only that makes ß and ss, ſ and s, Σ and ς, ı and i equal.) A dot above an i
 * doesn't count, so İ equals i: Turkish writes `İpek` and `ipek`, other languages `IPEK` and `ipek`.
 */
export function fold(text: string): string {
  let folded = text
  for (let round = 0; round < 4; round += 1) {
    const next = folded
      .normalize('NFKC')
      .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
      .toUpperCase()
      .toLowerCase()
      .replaceAll('i\u0307', 'i')
      .normalize('NFKC')
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
