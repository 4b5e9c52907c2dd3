import { expect } from 'vitest'
import { logIn, signUp, whoIs } from '../../packages/accounts/test/support/app.js'
import { cases } from './catalogue.js'

cases('Logout', (attempt) => {
  attempt(
    'OUT-03',
    { tried: 'GET and HEAD /logout/', expected: '405, and the session lives on' },
    async ({ start }) => {
      const service = await start()
      await signUp(service)
      const cookie = await logIn(service)
      for (const method of ['GET', 'HEAD'] as const) {
        const answer = await service.app.inject({ method, url: '/logout/', headers: { cookie } })
        expect(answer.statusCode).toBe(405)
      }
      expect(await whoIs(service, cookie)).toBe('alice')
    },
  )
})
