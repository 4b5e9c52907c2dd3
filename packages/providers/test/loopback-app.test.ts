import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createProvidersClient } from '@fastify-accounts/client/providers'
import { providers } from '@fastify-accounts/providers'
import { testApp } from '@fastify-accounts/test-support/app'
import { findings } from '@fastify-accounts/test-support/axe'
import { isChromiumHere, launchChromium } from '@fastify-accounts/test-support/chromium'
import { fetchWithCookies } from '@fastify-accounts/test-support/client'
import { openDoor } from '@fastify-accounts/test-support/door'
import { expect, it, onTestFinished } from 'vitest'
import { certifiedClient, startCertified } from './support/certified.js'
import { challengeOf } from './support/pkce.js'

/** A program that waits on loopback for what the browser brings, as RFC 8252 section 7.3 describes. */
async function startProgram() {
  const arrived: string[] = []
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/done?')) arrived.push(request.url)
    response.end('You can close this window.')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { arrived, redirectUri: `http://127.0.0.1:${(server.address() as AddressInfo).port}/done` }
}

it.skipIf(!isChromiumHere())('logs a program in through Chromium and a certified issuer', async () => {
  const door = await openDoor()
  onTestFinished(door.close)
  const baseUrl = `http://localhost:${door.port}`
  const issuer = await startCertified(`${baseUrl}/login/with/certified/callback/`)
  onTestFinished(() => issuer.close())
  const certified = {
    ...{ name: 'certified', label: 'Certified', issuer: issuer.url, ...certifiedClient },
    clientAuth: 'client_secret_basic',
    authoritativeFor: true,
  } as const
  const features = [providers([certified], { appRedirectUris: ['http://127.0.0.1/done'] })]
  const { app } = await testApp({ baseUrl, features })
  await app.listen({ port: 0, host: 'localhost' })
  door.leadTo((app.server.address() as AddressInfo).port)
  const program = await startProgram()
  const client = createProvidersClient({ baseUrl, fetch: fetchWithCookies() })
  const verifier = randomBytes(32).toString('base64url')
  const url = client.appLoginUrl('certified', {
    redirect_uri: program.redirectUri,
    code_challenge: challengeOf(verifier),
    state: 'the state',
  })

  const browser = await launchChromium()
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  await page.goto(url)
  expect(await findings(page)).toEqual([])
  await page.getByRole('button', { name: 'Continue with Certified' }).click()
  await page.waitForURL(/^http:\/\/127\.0\.0\.1:\d+\/done/)
  const names = (await page.context().cookies(baseUrl)).map(({ name }) => name)
  expect(names).toEqual([])

  expect(program.arrived).toHaveLength(1)
  const result = new URL(program.arrived[0] ?? '', baseUrl).searchParams
  expect([...result.keys(), result.get('state')]).toEqual(['code', 'state', 'the state'])
  const code = result.get('code') ?? ''
  const stolen = createProvidersClient({ baseUrl, fetch: fetchWithCookies() })
  const guessed = await stolen.logInWithAppCode({
    code,
    code_verifier: randomBytes(32).toString('base64url'),
  })
  expect(guessed).toMatchObject({ error: { code: 'ACCOUNTS_LOGIN_EXPIRED' } })
  const done = await client.logInWithAppCode({ code, code_verifier: verifier })
  expect(done).toMatchObject({ status: 200, data: { email: 'ada@example.org' } })
  expect(await client.listIdentities()).toMatchObject({ data: { results: [{ provider: 'certified' }] } })
})
