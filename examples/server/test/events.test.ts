import { createClient } from '@fastify-accounts/test-support/example-server/client'
import { start } from '@fastify-accounts/test-support/example-server/server'
import { expect, it } from 'vitest'

const password = 'seven-green-lanterns'

it('logs what happens to accounts', async () => {
  const { url, output } = await start()
  const grace = createClient(url)
  const signUp = await grace.post('/signup/', { username: 'grace', password, confirm_password: password })
  expect(signUp.status).toBe(201)
  const { id } = (await signUp.json()) as { id: string }
  await expect.poll(output).toContain('"msg":"event: user.created"')
  const lines = output().split('\n')
  const { event } = JSON.parse(lines.find((line) => line.includes('"msg":"event: user.created"')) ?? '')
  expect(event).toMatchObject({
    type: 'user.created',
    user: { id: id, version: 1 },
    actor: { kind: 'request', id: null },
    data: { origin: 'self' },
  })
  expect(JSON.stringify(event)).not.toContain('grace')
})
