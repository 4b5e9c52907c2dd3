import { readFile, writeFile } from 'node:fs/promises'
import { summarize } from './statistics.js'

/** A table of Markdown. All columns but the first are of numbers, unless `text` names more. */
export function table(head: readonly string[], rows: readonly (readonly string[])[], text = 1): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const rule = head.map((_, at) => (at < text ? '---' : '---:'))
  return [head, rule, ...rows].map(line).join('\n')
}

/** The median, and the middle half in parentheses. */
export function spread(figures: readonly number[], text: (value: number) => string = digits): string {
  const { low, median, high } = summarize(figures)
  return `${text(median)} (${text(low)}–${text(high)})`
}

/** Three significant digits. */
export function digits(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3)
}

/** 10 000 as `10,000`. */
export function count(value: number): string {
  return value.toLocaleString('en-US')
}

/** Whether a target is met. */
export function verdict(met: boolean): string {
  return met ? 'yes' : '**no**'
}

export async function writeBetween(page: string, name: string, text: string): Promise<void> {
  await writeFile(page, between(await readFile(page, 'utf8'), name, text))
}

/**
 * Replaces the text between `<!-- name:start -->` and `<!-- name:end -->` of a page.
 * @throws Error if the page lacks these markers
 */
export function between(page: string, name: string, text: string): string {
  const [start, end] = [`<!-- ${name}:start -->`, `<!-- ${name}:end -->`]
  const from = page.indexOf(start)
  const to = page.indexOf(end)
  if (from === -1 || to < from) throw new Error(`the page has no place for ${name}`)
  return `${page.slice(0, from + start.length)}\n\n${text}\n\n${page.slice(to)}`
}
