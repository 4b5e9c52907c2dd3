import { describe, expect, it } from 'vitest'
import { names, positive, readFlags, whole, wholes } from '../src/flags.js'
import { between, spread, table } from '../src/report.js'
import { quantile } from '../src/statistics.js'

describe('a report', () => {
  it("replaces the text between a page's markers", () => {
    const page = 'before\n<!-- a:start -->\nold\n<!-- a:end -->\nafter <!-- b:start --><!-- b:end -->'
    const once = between(page, 'a', 'new')
    expect(once).toBe(
      'before\n<!-- a:start -->\n\nnew\n\n<!-- a:end -->\nafter <!-- b:start --><!-- b:end -->',
    )
    expect(between(once, 'a', 'new')).toBe(once)
    expect(() => between('<!-- a:end --> <!-- a:start -->', 'a', 'new')).toThrow('no place for a')
  })

  it('writes a table with right-aligned numbers', () => {
    expect(table(['what', 'time'], [['find', '5 µs']])).toBe(
      '| what | time |\n| --- | ---: |\n| find | 5 µs |',
    )
  })

  it('summarizes figures by median and quartiles', () => {
    expect(spread([500, 1, 2, 4, 3])).toBe('3.00 (2.00–4.00)')
    expect(quantile([1, 2], 0.5)).toBe(1.5)
    expect(() => quantile([], 0.5)).toThrow('no figures')
  })
})

describe('flags', () => {
  const flags = {
    services: names('', ['a', 'b']),
    rounds: whole('', 3),
    seconds: positive('', 0.5),
    sizes: wholes('', '20,10', 5),
  }

  it('have defaults', () => {
    expect(readFlags(flags, ['--services', 'b', '--seconds', '0.25'])).toEqual({
      services: ['b'],
      rounds: 3,
      seconds: 0.25,
      sizes: [10, 20],
    })
  })

  it.each([
    [['--services', 'oracle'], '--services: oracle is none of a, b'],
    [['--sizes', '10,4'], '--sizes must be a whole number of at least 5, not 4'],
    [['--rounds', 'x'], '--rounds must be'],
    [['--seconds', '0'], '--seconds must be'],
    [['--faster'], '--faster'],
  ])('rejects %j', (args, message) => {
    expect(() => readFlags(flags, args)).toThrow(message)
  })
})
