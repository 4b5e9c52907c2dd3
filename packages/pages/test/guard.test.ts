import { goodPassword, signUp } from '@fastify-accounts/test-support/app'
import { expect, it } from 'vitest'
import { browser, pagesApp } from './pages-app.js'

it('leads a browser from a guarded route to log in, and back', async () => {
  const world = await pagesApp()
  await signUp(world, 'ada')
  const visitor = browser(world.app)
  const login = await visitor.open('/secret/?a=1')
  expect(login.url).toBe('/login/?next=%2Fsecret%2F%3Fa%3D1')
  const wrong = await visitor.submit('Log in', { username: 'ada', password: 'not-this-one' })
  expect(wrong.status).toBe(401)
  expect(wrong.text).toContain('Wrong username')
  const back = await visitor.submit('Log in', { username: 'ada', password: goodPassword })
  expect(back).toMatchObject({ status: 200, url: '/secret/?a=1', html: 'in' })
})
