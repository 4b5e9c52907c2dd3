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
  const style = withoutSpace(`@layer accounts {${tokens(brand)}${definitions}${withShortNames(rules)}}`)
  styles.set(brand, style)
  return style
}

/** A style sheet without the space that only people need. */
const withoutSpace = (css: string): string =>
  css
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,]) ?/g, '$1')
    .replace(/(?<=[\w-]): /g, ':')
    .replace(/ ?([>~]) ?| (\+) (?=[:[*]|li)/g, '$1$2')
    .replace(/ ([*/]) /g, '$1')
    .replace(/;}/g, '}')

/** The names within the frame of properties that it uses often: the long ones are a third of the style. */
const shortNames: Readonly<Record<string, string>> = {
  ...{ accent: 'a', ground: 'g', paper: 'p', ink: 'i', faint: 'f', line: 'l' },
  ...{ hairline: 'h', fault: 'n', radius: 'r', space: 's', width: 'w' },
}

const definitions = `:where([data-part=frame]) { ${Object.entries(shortNames)
  .map(([name, short]) => `--${short}: var(--accounts-${name})`)
  .join('; ')}; --b: 1px solid var(--accounts-hairline) }`

const withShortNames = (css: string): string =>
  css.replace(/var\(--accounts-([\w-]+)\)/g, (long, name) =>
    name in shortNames ? `var(--${shortNames[name]})` : long,
  )
