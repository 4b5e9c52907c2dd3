/**
 * Signs that are neither letters nor digits but belong to names where a script needs them: the contextual rules of RFC 5892,
 * Appendix A, which RFC 8265 applies to usernames, and its section 2.6; and what names in Chinese, Japanese and Mongolian
 * also have.
 */

const joiner = '[\\u200c\\u200d]'

/**
 * Living scripts whose letters join, so a name may need a joiner or a non-joiner between two of them. A.1 would ask how
 * each letter joins, which JavaScript doesn't know; people also type them after letters that never join.
 */
const cursive = `[${['Adlam', 'Arabic', 'Hanifi_Rohingya', 'Mandaic', 'Mongolian', 'Nko', 'Syriac']
  .map((script) => `\\p{scx=${script}}`)
  .join('')}]`

const japanese = '[\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Han}]'

const inPlace = new RegExp(
  [
    // A.1: Persian, Urdu, Kurdish …
    `(?<=${cursive})${joiner}(?=${cursive})`,
    // A.3: Catalan.
    '(?<=[lL])\\u00b7(?=[lL])',
    // A.4: Greek numbers.
    '\\u0375(?=\\p{sc=Greek})',
    // A.5 and A.6: Hebrew.
    '(?<=\\p{sc=Hebrew})[\\u05f3\\u05f4]',
    // A.7: foreign names in Japanese.
    `(?<=${japanese}.*)[\\u30fb\\uff65]|[\\u30fb\\uff65](?=.*${japanese})`,
    // As in A.7, in Chinese: parts of a foreign name, such as those of Uyghurs.
    '(?<=\\p{sc=Han})\\u00b7(?=\\p{sc=Han})',
    // Which form of a character it is: in names of Japanese registers, and in Mongolian, which also separates vowels so.
    '(?<=\\p{sc=Han})[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]|(?<=\\p{sc=Mong})[\\u180b-\\u180f]',
    // 2.6: between the syllables of Tibetan, and in Sindhi. RFC 5892 allows them anywhere, where they look like specks.
    '(?<=\\p{sc=Tibetan})\\u0f0b',
    '(?<=\\p{sc=Arabic}.*)[\\u06fd\\u06fe]',
  ].join('|'),
  'gu',
)

/** The name without the signs that are in their place. */
export function withoutSignsInPlace(name: string): string {
  const characters = [...name]
  return (
    characters
      // A.1 and A.2, in Indic scripts. Bengali and Kannada also write a joiner before the virama.
      .filter((each, at) => !isJoiner(each) || ![characters[at - 1], characters[at + 1]].some(isVirama))
      .join('')
      .replace(inPlace, '')
  )
}

/** Whether digits are mixed that look the same (A.8 and A.9). */
export function mixesArabicDigits(name: string): boolean {
  return /[\u0660-\u0669]/.test(name) && /[\u06f0-\u06f9]/.test(name)
}

const isJoiner = (character: string): boolean => character === '\u200c' || character === '\u200d'

/** Of the combining classes 8 and 10. */
const [kanaMark, sheva] = ['\u3099', '\u05b0']

/**
 * Whether a mark has the combining class of viramas, 9, by where normalization puts it. JavaScript has no property for it.
 */
function isVirama(mark: string | undefined): boolean {
  return mark !== undefined && isBefore(kanaMark, mark) && isBefore(mark, sheva)
}

const isBefore = (one: string, other: string): boolean =>
  one !== other && (other + one).normalize('NFD') === one + other
