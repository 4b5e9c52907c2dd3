import { type Brand, darkScheme, edgeOf, inkOn, lightScheme } from 'fastify-accounts/features'

/** The border of a button: its own color, or a line where that is hard to see on the paper. */
const edge = (color: string): string =>
  both((scheme) => (edgeOf(color, scheme) === color ? 'var(--accounts-accent)' : 'var(--accounts-line)'))

const both = (of: (scheme: typeof lightScheme) => string): string =>
  `light-dark(${of(lightScheme)}, ${of(darkScheme)})`

/**
 * What a site may set to make the pages its own: 14 properties, stable. `--e` and the rest of the style follow from them.
 */
export function tokens({ color, scheme }: Brand): string {
  return `:where(:root) {
color-scheme: ${scheme === 'auto' ? 'light dark' : scheme};
--accounts-accent: ${color};
--accounts-on-accent: ${inkOn(color)};
--accounts-ground: ${both(({ ground }) => ground)};
--accounts-paper: ${both(({ paper }) => paper)};
--accounts-ink: ${both(({ ink }) => ink)};
--accounts-faint: ${both(({ faint }) => faint)};
--accounts-line: ${both(({ line }) => line)};
--accounts-hairline: light-dark(#e2e4e8, #30343c);
--accounts-good: light-dark(#0b6b36, #8fdcae);
--accounts-fault: ${both(({ fault }) => fault)};
--accounts-radius: .5rem;
--accounts-space: 1rem;
--accounts-font: system-ui, sans-serif;
--accounts-width: 24rem;
}
:where([data-part=body]) { margin: 0; background: var(--accounts-ground) }
:where([data-part=frame]) { --e: ${edge(color)}; --k: color-mix(in oklab, var(--accounts-accent) 35%, var(--accounts-ink)) }`
}
