import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { goodPassword, linkPath, otherPassword, testApp } from '@fastify-accounts/test-support/app'
import { refusalOf } from '@fastify-accounts/test-support/app-browser'
import { expect, it, onTestFinished } from 'vitest'
import { type AccountsOptions, type BeforeRules, RuleError } from '../src/index.js'

const token = 'P1_solved-by-a-person'
const filledIn = {
  username: 'ada',
  password: goodPassword,
  confirm_password: goodPassword,
  email: 'ada@example.org',
}
const fields = {
  type: 'object',
  properties: { captcha: { type: 'string', minLength: 1, maxLength: 4096 } },
  required: ['captcha'],
} as const

/** The service that the captcha belongs to, on a local port. */
async function verifier(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/siteverify`
}

/** As in docs/guides/own-rules.md. */
const ruleAt = (url: string): Pick<BeforeRules, 'signUp'> => ({
  async signUp({ transient, handsOver }, { signal }) {
    if (handsOver) return
    const body = new URLSearchParams({ secret: 'a captcha secret', response: String(transient.captcha) })
    const response = await fetch(url, { method: 'POST', body, signal })
    if (!response.ok) throw new Error(`the captcha service returned ${response.status} for ${body}`)
    const { success } = (await response.json()) as { success: boolean }
    if (!success) throw new RuleError('SHOP_CAPTCHA', { message: 'Solve the captcha again.' })
  },
})

async function appAt(url: string, options: Partial<AccountsOptions> = {}) {
  const lines: string[] = []
  const stream = { write: (line: string) => void lines.push(line) }
  const service = await testApp(
    { signUp: { fields }, before: ruleAt(url), ...options },
    { server: { logger: { level: 'trace', stream } } },
  )
  const signUp = (captcha: string) => service.send('POST', '/signup/', { ...filledIn, captcha })
  return { ...service, signUp, log: () => lines.join('') }
}

it('lets those sign up whose captcha is solved', async () => {
  const url = await verifier(async (request, response) => {
    const [text] = await once(request.setEncoding('utf8'), 'data')
    response.end(JSON.stringify({ success: new URLSearchParams(text).get('response') === token }))
  })
  const service = await appAt(url)
  expect(refusalOf(await service.signUp('guessed by a machine'))).toEqual([403, 'SHOP_CAPTCHA'])
  expect((await service.signUp(token)).statusCode).toBe(201)
  expect(service.log()).not.toContain(token)
})

it('asks for none at the first proof of an address, where nobody can give one', async () => {
  const service = await appAt(await verifier((_, response) => response.end('{"success":true}')))
  await service.signUp(token)
  await service.send('POST', '/forgot/', { email: filledIn.email })
  const link = linkPath(await service.mail('reset-password'))
  const choice = { new_password: otherPassword, confirm_password: otherPassword }
  expect((await service.send('POST', link, choice)).statusCode).toBe(204)
})

it.each<[string, RequestListener, RegExp]>([
  ['is down', (_, response) => response.writeHead(502).end(), /before is unavailable: .*502/],
  ['sends nonsense', (_, response) => response.end('<h1>Sorry</h1>'), /before is unavailable: .*JSON/],
  ['cuts the connection', (request) => request.socket.destroy(), /before is unavailable: .*fetch failed/],
  ['never responds', () => {}, /before is unavailable: before.signUp did not respond in 300 ms/],
])('if the service %s, nobody signs up, and the response is a 503', async (_, listener, line) => {
  const service = await appAt(await verifier(listener), { adapterTimeout: 300 })
  const response = await service.signUp(token)
  expect([refusalOf(response), response.headers['retry-after']]).toEqual([[503, 'ACCOUNTS_UNAVAILABLE'], '5'])
  expect(await service.users.findByUsername('ada')).toBeNull()
  expect(service.log()).toMatch(line)
  for (const value of [token, encodeURIComponent(token)]) expect(service.log()).not.toContain(value)
})
