import { type Provider, providers } from '@fastify-accounts/providers'
import { refusalOf } from '@fastify-accounts/test-support/app-browser'
import { startIssuer, type TestIssuer } from '@fastify-accounts/test-support/providers/issuer'
import { type Visitor, visitor } from '@fastify-accounts/test-support/providers/service'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { cases } from './catalogue.js'
import type { Scene, Service } from './service.js'

const minute = 60_000
const invalid = [400, 'ACCOUNTS_INVALID_INPUT']

let issuer: TestIssuer
beforeAll(async () => {
  issuer = await startIssuer()
})
beforeEach(() => {
  issuer.twist = {}
})
afterAll(() => issuer.close())

const startOn = (
  { start }: Scene,
  own: Partial<Provider> = {},
  options: Parameters<Scene['start']>[0] = {},
): Promise<Service> => {
  const demo = { name: 'demo', issuer: issuer.url, clientId: 'app', clientSecret: 'secret', ...own }
  // The issuer runs in this busy process.
  return start({
    users: { variant: 'both' },
    features: [providers([demo])],
    adapterTimeout: minute,
    ...options,
  })
}

const at = ({ app }: Service): Visitor => visitor({ app, issuer })

const onMemory = { on: 'memory', because: 'it is rejected before any store is called' } as const

cases('Other providers', (attempt) => {
  const odd = {
    'another host': ['//evil.example', '///evil.example', 'https://evil.example', 'http:evil.example'],
    'another scheme': ['javascript:alert(1)', 'data:text/html,x'],
    'another host after normalization': ['/..//evil.example', '/.//evil.example', '/x/../..//evil.example'],
    credentials: ['http://localhost:3000@evil.example', 'http://a:b@localhost:3000/'],
    'a backslash': ['/\\evil.example', '\\\\evil.example', '/a\\b', '/a?b\\c'],
    'an encoded backslash': ['/%5cevil.example', '/%5Cevil.example', '/a%5cb', '/%255cevil.example'],
    'a control character': [
      '/\t/evil.example',
      '/a\nb',
      '/\0',
      '/a\x7f',
      '/a\u0085b',
      ' /a',
      '\t/a',
      '/a?b\tc',
    ],
    'an encoded control character': [
      '/%09/evil.example',
      '/a%0d%0ab',
      '/%00',
      '/%7f',
      '/a%C2%85b',
      '/%2509/a',
    ],
    'an encoded slash at the start': ['/%2f/evil.example', '/%2Fevil.example', '/%252fevil.example'],
    'the same on the origin': [
      'http://localhost:3000//evil.example',
      'http://localhost:3000/%09/evil.example',
    ],
  }
  attempt(
    'PRV-31',
    {
      tried: `\`next\` with ${Object.keys(odd).join('; ')}`,
      expected: '400 before the flow starts; encoded text in other places passes',
      ...onMemory,
    },
    async (scene) => {
      const service = await startOn(scene)
      for (const next of Object.values(odd).flat()) {
        const answer = await service.send('POST', '/login/with/demo/', { next })
        expect([next, ...refusalOf(answer), answer.cookies]).toEqual([next, ...invalid, []])
      }
      for (const next of ['/a%2fb', '/%20a', '/caf%C3%A9', '/é', '/a?b=%0A%5C//c#//d', '/a//b'])
        expect([next, (await at(service).send('POST', '/login/with/demo/', { next })).statusCode]).toEqual([
          next,
          200,
        ])
    },
  )
})
