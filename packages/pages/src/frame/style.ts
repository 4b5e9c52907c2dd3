import type { Brand } from 'fastify-accounts/features'
import { rules } from './rules.js'
import { tokens } from './tokens.js'

const styles = new WeakMap<Brand, string>()

/**
 * The style of all pages: in a cascade layer and without specificity, so any rule of a site replaces it. The properties that
 * begin with `--accounts-` are stable; the rest follows from them.
 */
export function styleOf(brand: Brand): string {
  const before = styles.get(brand)
  if (before !== undefined) return before
  const style = withoutSpace(`@layer accounts {${tokens(brand)}${rules}}`)
  styles.set(brand, style)
  return style
}

/** A style sheet without the space that only people need. */
const withoutSpace = (css: string): string =>
  css
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,]) ?/g, '$1')
    .replace(/(?<=[\w-]): /g, ':')
    .replace(/ > /g, '>')
    .replace(/;}/g, '}')
