import type { Language } from '../languages/languages.js'
import type { Brand } from '../options/brand.js'
import type { Frame } from './frame.js'

/** The language and brand of a page. */
export interface PageTheme {
  language: Language
  brand: Brand
  /** The site's origin. Pages don't show a logo from elsewhere, so no other site learns about them. */
  origin: string
  /** What draws them instead of our own layout; `null` without a feature that has pages. */
  frame: Frame | null
}
