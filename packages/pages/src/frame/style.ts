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
  const style = withoutSpace(`@layer accounts {${tokens(brand)}${withShortNames(rules)}}`)
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

/** The names of the properties within the frame: the long ones are a third of the style. */
const shortNames = {
  ...{ accent: 'a', 'on-accent': 'o', ground: 'g', paper: 'p', ink: 'i', faint: 'f', line: 'l' },
  ...{ hairline: 'h', good: 'y', fault: 'n', radius: 'r', space: 's', font: 't', width: 'w' },
}

function withShortNames(css: string): string {
  const defined = Object.entries(shortNames).map(([name, short]) => `--${short}: var(--accounts-${name})`)
  const short = css.replace(
    /var\(--accounts-([\w-]+)\)/g,
    (_, name: keyof typeof shortNames) => `var(--${shortNames[name]})`,
  )
  return `:where([data-part=body], [data-part=frame]) { ${defined.join('; ')} }${short}`
}
