import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type Axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** The rules of WCAG 2.2, A and AA, as axe tags them. */
export const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** Much smaller than the `source` of the module. */
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The violations that axe finds, one line each. */
export async function findings(page: Page, tags: readonly string[] = wcag): Promise<string[]> {
  // Not as a script of the page, which its policy may refuse.
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(source)
  const { passes, violations } = await page.evaluate(
    async (values) => {
      // Runs in the page. Frames are left out: axe would wait for a response from each.
      const { axe } = globalThis as unknown as { axe: typeof Axe }
      const results = await axe.run({
        runOnly: { type: 'tag', values },
        resultTypes: ['violations'],
        iframes: false,
      })
      // All results are megabytes.
      return {
        passes: results.passes.length,
        violations: results.violations.map(
          ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`,
        ),
      }
    },
    [...tags],
  )
  expect(passes).toBeGreaterThan(5)
  return violations
}

/** Whether the page scrolls horizontally. */
export const overflows = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')
