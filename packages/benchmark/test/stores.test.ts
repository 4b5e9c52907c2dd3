import { describe, expect, it } from 'vitest'
import { engineNames } from '../src/stores/engines.js'
import { run } from '../src/stores/run.js'
import { settingsOf } from '../src/stores/settings.js'
import { tables } from '../src/stores/tables.js'

describe('the benchmark of the stores', () => {
  it('runs each operation on both sides, and lists it in a table', async () => {
    const settings = settingsOf([
      '--engines',
      'sqlite,memory',
      '--sizes',
      '300',
      '--rounds',
      '1',
      '--warm-up-ms',
      '1',
      '--round-ms',
      '1',
    ])
    if (!settings) throw new Error('unexpected help')
    const results = await run(settings, new AbortController().signal, () => {})
    const of = (engine: string) => results.figures.filter((figure) => figure.engine === engine)
    expect(of('sqlite').map(({ operation }) => operation)).toEqual(
      of('memory').map(({ operation }) => operation),
    )
    expect(of('sqlite').length).toBeGreaterThanOrEqual(11)
    for (const { ours, theirs, ratio } of of('sqlite')) {
      expect([ours.median, theirs?.median, ratio?.median].every((figure) => (figure ?? 0) > 0)).toBe(true)
    }
    const text = tables(results)
    for (const { operation } of results.figures) expect(text).toContain(`| ${operation} | 300 |`)
  })

  it('runs all engines by default, at ten and a hundred thousand users', () => {
    expect(settingsOf([])).toMatchObject({ engines: engineNames, sizes: [10_000, 100_000], json: undefined })
  })

  it.each([
    [['--engines', 'oracle'], '--engines: oracle'],
    [['--sizes', '10'], '--sizes must be a whole number from 300 on, not 10'],
    [['--rounds', 'x'], '--rounds must be'],
    [['--faster'], '--faster'],
  ])('rejects %j', (args, message) => {
    expect(() => settingsOf(args)).toThrow(message)
  })
})
