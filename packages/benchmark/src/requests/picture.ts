import { summarize } from '../statistics.js'
import { titles } from './names.js'
import { type OperationName, operationNames, operations } from './operations.js'
import type { Figure } from './run.js'

export const themes = {
  light: { back: '#ffffff', text: '#1f2328', faint: '#59636e', ours: '#0969da', others: '#a8b3bf' },
  dark: { back: '#0d1117', text: '#f0f6fc', faint: '#9198a1', ours: '#4493f8', others: '#525c67' },
} as const

const shown: readonly OperationName[] = ['me', 'log-in', 'sign-up']
const [width, left, right, rowHeight] = [800, 296, 74, 22]

/** Bars as SVG: microseconds of server CPU per request, the median of the rounds; ours in a separate color. */
export function picture(figures: readonly Figure[], theme: keyof typeof themes): string {
  const { back, text, faint } = themes[theme]
  const parts: string[] = []
  let y = 44
  for (const operation of operationNames.filter((name) => shown.includes(name))) {
    const rows = figures.filter((figure) => figure.operation === operation)
    if (rows.length === 0) continue
    parts.push(line(16, y, `font-weight="600" fill="${text}"`, operations[operation].title))
    y += 12
    const values = rows.map((row) => summarize(row.cpu).median)
    const most = Math.max(...values)
    for (const [at, { service }] of rows.entries()) {
      parts.push(bar(y, titles[service], values[at] ?? 0, most, service.startsWith('accounts'), theme))
      y += rowHeight
    }
    y += 34
  }
  const height = y - 14
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" font-family="system-ui, sans-serif" font-size="13">`,
    '<title>Server CPU in microseconds a request; shorter is better</title>',
    `<rect width="${width}" height="${height}" fill="${back}"/>`,
    line(16, 20, `fill="${faint}"`, 'Server CPU in µs a request, median of the rounds; shorter is better'),
    ...parts,
    '</svg>\n',
  ].join('\n')
}

function bar(
  y: number,
  title: string,
  value: number,
  most: number,
  ours: boolean,
  theme: keyof typeof themes,
) {
  const colors = themes[theme]
  const length = Math.max(1, ((width - left - right) * value) / most).toFixed(1)
  const middle = y + rowHeight / 2 + 5
  const weight = ours ? ' font-weight="600"' : ''
  return [
    line(left - 8, middle, `text-anchor="end"${weight} fill="${colors.text}"`, title),
    `<rect x="${left}" y="${y + 3}" width="${length}" height="${rowHeight - 6}" fill="${ours ? colors.ours : colors.others}"/>`,
    line(
      left + Number(length) + 6,
      middle,
      `fill="${colors.faint}"`,
      Math.round(value).toLocaleString('en-US'),
    ),
  ].join('\n')
}

function line(x: number, y: number, attributes: string, text: string): string {
  return `<text x="${x}" y="${y}" ${attributes}>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</text>`
}
