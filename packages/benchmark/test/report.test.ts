import { describe, expect, it } from 'vitest'
import { between, duration, table } from '../src/report.js'
import { summarize } from '../src/statistics.js'

describe('a report', () => {
  it("replaces the text between a page's markers", () => {
    const page = 'before\n<!-- a:start -->\nold\n<!-- a:end -->\nafter <!-- b:start --><!-- b:end -->'
    const once = between(page, 'a', 'new')
    expect(once).toBe(
      'before\n<!-- a:start -->\n\nnew\n\n<!-- a:end -->\nafter <!-- b:start --><!-- b:end -->',
    )
    expect(between(once, 'a', 'new')).toBe(once)
  })

  it('rejects a page without the markers', () => {
    expect(() => between('<!-- a:end --> <!-- a:start -->', 'a', 'new')).toThrow('no place for a')
  })

  it('writes a table with right-aligned numbers', () => {
    expect(table(['what', 'time'], [['find', '5 µs']])).toBe(
      '| what | time |\n| --- | ---: |\n| find | 5 µs |',
    )
  })

  it.each([
    [1.234, '1.23 µs'],
    [123.4, '123 µs'],
    [12_340, '12.3 ms'],
  ])('writes %d microseconds as %s', (microseconds, text) => {
    expect(duration(microseconds)).toBe(text)
  })

  it('summarizes figures by median and quartiles', () => {
    expect(summarize([5, 1, 2, 4, 3])).toEqual({ low: 2, median: 3, high: 4 })
    expect(summarize([1, 2])).toEqual({ low: 1.25, median: 1.5, high: 1.75 })
    expect(() => summarize([])).toThrow('no figures')
  })
})
