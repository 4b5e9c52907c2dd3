import type { ConformanceCase } from '@fastify-accounts/testing'
import { expect, test } from 'vitest'
import { sampleOfEach } from './depth.js'

/**
 * Tries laws on set-ups: at full depth each on all, at push each on one of each engine, at quick each on one.
 *
 * @returns which of these laws are for this set-up, to be called while tests are declared
 */
export function lawsFor<SetUp>(setUps: readonly SetUp[], engineOf: (setUp: SetUp) => unknown = () => 'one') {
  const laws = new Set<string>()
  const tried = new Map<SetUp, string[]>(setUps.map((setUp) => [setUp, []]))

  test('every law is tried, on every set-up some', () => {
    expect([...laws].filter((law) => ![...tried.values()].flat().includes(law))).toEqual([])
    expect([...tried.values()].filter((here) => here.length === 0)).toEqual([])
  })

  return (setUp: SetUp, cases: readonly ConformanceCase[]): ConformanceCase[] => {
    const here = cases.filter(({ name }) => sampleOfEach(name, setUps, engineOf).includes(setUp))
    for (const { name } of cases) laws.add(name)
    tried.get(setUp)?.push(...here.map(({ name }) => name))
    return here
  }
}
