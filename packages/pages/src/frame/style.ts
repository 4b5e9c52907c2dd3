import type { Brand } from 'fastify-accounts/features'

/**
 * The style of all pages: in a cascade layer and without specificity, so any rule of a site replaces it. The 14 properties that
 * begin with `--accounts-` are stable; the rest follows from them.
 */
export function styleOf(brand: Brand): string {
  const scheme = brand.scheme === 'auto' ? 'light dark' : brand.scheme
  return `@layer accounts {
:where(:root) { color-scheme: ${scheme};
--accounts-accent: ${brand.color}; --accounts-on-accent: #fff;
--accounts-ground: light-dark(#f3f4f6, #0f1115); --accounts-paper: light-dark(#fff, #1a1d23);
--accounts-ink: light-dark(#1a1a1a, #f2f2f2); --accounts-faint: light-dark(#4b5563, #b6bcc6);
--accounts-line: light-dark(#767676, #9aa0a6); --accounts-hairline: light-dark(#e2e4e8, #30343c);
--accounts-good: light-dark(#0b6b36, #8fdcae); --accounts-fault: light-dark(#a3001b, #ff9d94);
--accounts-radius: .5rem; --accounts-space: 1rem; --accounts-font: system-ui, sans-serif; --accounts-width: 24rem }
:where(body) { margin: 0; font: 1rem/1.5 var(--accounts-font); color: var(--accounts-ink); background: var(--accounts-ground) }
:where([data-part=frame]) { padding: calc(1.5 * var(--accounts-space)) var(--accounts-space) }
:where([data-part=frame], [data-part=frame] *) { box-sizing: border-box; overflow-wrap: anywhere }
}`
}
