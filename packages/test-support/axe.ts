import axe, { type AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** The rules of WCAG 2.2, A and AA, as axe tags them. */
export const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** The violations that axe finds, one line each. */
export async function findings(page: Page, tags: readonly string[] = wcag): Promise<string[]> {
  // Not as a script of the page, which its policy may refuse.
  await page.evaluate(axe.source)
  const results: AxeResults = await page.evaluate(
    (values) =>
      // It is in the page, not here.
      (globalThis as unknown as { axe: typeof axe }).axe.run({ runOnly: { type: 'tag', values } }),
    [...tags],
  )
  expect(results.passes.length).toBeGreaterThan(5)
  return results.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

/** Whether the page scrolls horizontally. */
export const overflows = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')
