import { readFile, writeFile } from 'node:fs/promises'

/** A table of Markdown. All columns but the first are of numbers, unless `text` names them. */
export function table(head: readonly string[], rows: readonly (readonly string[])[], text = 1): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const rule = head.map((_, at) => (at < text ? '---' : '---:'))
  return [head, rule, ...rows].map(line).join('\n')
}

/** Three significant digits, in µs or ms. */
export function duration(microseconds: number): string {
  return microseconds < 1000 ? `${digits(microseconds)} µs` : `${digits(microseconds / 1000)} ms`
}

export function digits(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3)
}

/** 10 000 as `10,000`. */
export function count(value: number): string {
  return value.toLocaleString('en-US')
}

/**
 * Replaces the text between `<!-- name:start -->` and `<!-- name:end -->` of a page.
 * @throws Error if the page lacks these markers
 */
export async function writeBetween(page: string, name: string, text: string): Promise<void> {
  const before = await readFile(page, 'utf8')
  await writeFile(page, between(before, name, text))
}

/** The same on the text of a page. */
export function between(page: string, name: string, text: string): string {
  const [start, end] = [`<!-- ${name}:start -->`, `<!-- ${name}:end -->`]
  const from = page.indexOf(start)
  const to = page.indexOf(end)
  if (from === -1 || to < from) throw new Error(`the page has no place for ${name}`)
  return `${page.slice(0, from + start.length)}\n\n${text}\n\n${page.slice(to)}`
}
