import { expect, test } from 'vitest'
import { compile } from '../src/types/compile.js'

/**
 * Instantiations over bare Fastify. Fastify's own types take 6,600 of them as soon as anything is declared on its
 * instance; measured were 7,229.
 */
const mostInstantiations = 7_500

test('the types of a sample app stay within their budget', () => {
  const bare = compile('bare')
  const ours = compile('fastify-accounts')
  expect(ours.instantiations - bare.instantiations).toBeLessThan(mostInstantiations)
})
