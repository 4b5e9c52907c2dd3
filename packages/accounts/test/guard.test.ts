import { once } from 'node:events'
import { MessageChannel } from 'node:worker_threads'
import { goodPassword, type Host, signUp, testApp } from '@fastify-accounts/test-support/app'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createMemoryUserStore } from '../src/index.js'

test('FLT-02 the error of a hanging adapter names the call and the time', async () => {
  const seen: unknown[] = []
  const host: Host = {
    before: (app) =>
      app.setErrorHandler((error, _request, reply) => {
        seen.push(error)
        return reply.code(503).send('')
      }),
  }
  const service = await testApp({ adapterTimeout: 50, errorResponses: 'host' }, host)
  service.users.findByUsername = () => new Promise(() => {})
  await service.send('POST', '/login/', { username: 'alice', password: goodPassword })
  expect(seen).toMatchObject([
    {
      code: 'ACCOUNTS_UNAVAILABLE',
      retryAfter: 5,
      cause: { message: 'findByUsername did not respond in 50 ms' },
    },
  ])
})

test('completed calls, successful or not, leave no timers', async () => {
  const service = await testApp()
  await signUp(service)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const login = (username = 'alice') => service.send('POST', '/login/', { username, password: goodPassword })
  expect((await login()).statusCode).toBe(200)
  const timers = vi.getTimerCount()
  expect((await login()).statusCode).toBe(200)
  service.users.findByUsername = () => Promise.reject(new Error('away'))
  // One of two look-ups fails.
  expect((await login('alice@example.org')).statusCode).toBe(503)
  // One for the outage as a whole, which logs its end.
  expect(vi.getTimerCount()).toBe(timers + 1)
  expect((await login('alice@example.org')).statusCode).toBe(503)
  expect(vi.getTimerCount()).toBe(timers + 1)
})

test('FLT-02 consecutive calls each get the full time', async () => {
  const service = await testApp({ adapterTimeout: 1000 })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const find = service.users.findByUsername
  const waits = [900, 900, 900, 1001]
  service.users.findByUsername = async (key) => {
    // The clock of the call has begun.
    await null
    await vi.advanceTimersByTimeAsync(waits.shift() ?? 0)
    return find(key)
  }
  const login = () => service.send('POST', '/login/', { username: 'alice', password: goodPassword })
  for (const status of [401, 401, 401, 503]) expect((await login()).statusCode).toBe(status)
})

test('FLT-02 a response that arrives while the process is busy is in time', async () => {
  const service = await testApp({ adapterTimeout: 100 })
  const find = service.users.findByUsername
  service.users.findByUsername = async (key) => {
    const { port1, port2 } = new MessageChannel()
    const response = once(port2, 'message')
    port1.postMessage('')
    queueMicrotask(() => {
      const end = performance.now() + 400
      while (performance.now() < end);
    })
    await response
    port2.close()
    return find(key)
  }
  const login = await service.send('POST', '/login/', { username: 'alice', password: goodPassword })
  expect(login.statusCode).toBe(401)
})

test('a store that throws synchronously is unavailable', async () => {
  const users = createMemoryUserStore()
  const service = await testApp({ userStore: users })
  const body = { username: 'alice', password: goodPassword, confirm_password: goodPassword }
  users.create = () => {
    throw new Error('synchronously')
  }
  expect((await service.send('POST', '/user/', body)).json().code).toBe('ACCOUNTS_UNAVAILABLE')
})
