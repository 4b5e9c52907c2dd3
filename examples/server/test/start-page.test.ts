import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type Client,
  createClient,
  linkIn,
  newestMail,
} from '@fastify-accounts/test-support/example-server/client'
import { temporaryFolder } from '@fastify-accounts/test-support/example-server/server'
import { newPendingMail, newUser } from '@fastify-accounts/testing'
import { describe, expect, it } from 'vitest'
import { openDatabase } from '../src/database.js'
import { startService } from './support/service.js'

/** The commands of the start page, in order. */
async function commandsOf(url: string): Promise<string[]> {
  const text = await (await fetch(url)).text()
  return text.split('\n').filter((line) => line.startsWith('curl '))
}

/** Emulates curl for the options that the page uses; the client replaces the cookie file. */
async function curl(command: string, client: Client): Promise<Response> {
  const [, ...words] = command.split(' ')
  const body = new URLSearchParams()
  let method = 'GET'
  let url = ''
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === '-d') {
      const [name = '', value = ''] = (words.shift() ?? '').split('=')
      body.append(name, value)
      method = 'POST'
    } else if (word === '-X') method = words.shift() ?? ''
    else if (word === '-b' || word === '-c') expect(words.shift()).toBe('cookies.txt')
    else if (word.startsWith('http')) url = word
    else if (word !== '-i') throw new Error(`the test does not support ${word} in: ${command}`)
  }
  const headers: Record<string, string> = { accept: '*/*' }
  if (body.size > 0) headers['content-type'] = 'application/x-www-form-urlencoded'
  if (command.includes('-b ')) headers.cookie = [...client.cookies].map((pair) => pair.join('=')).join('; ')
  const response = await fetch(url, { method, headers, ...(body.size > 0 && { body: body.toString() }) })
  if (command.includes('-c ')) {
    for (const each of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? []
      client.cookies.set(name, value)
    }
  }
  return response
}

async function statuses(url: string): Promise<[path: string, status: number][]> {
  const jar = createClient(url)
  const found: [string, number][] = []
  for (const command of await commandsOf(url)) {
    const { status } = await curl(command, jar)
    found.push([new URL(command.split(' ').at(-1) ?? '').pathname, status])
  }
  return found
}

describe('the start page', () => {
  it.each([
    [{ USERS_VARIANT: 'both' }, '/signup/'],
    [{ USERS_VARIANT: 'signup' }, '/signup/'],
    [{ USERS_VARIANT: 'user' }, '/user/'],
  ])('has commands that work with %o', async (environment, creation) => {
    const { url } = await startService(environment)
    expect(await statuses(url)).toEqual([
      ['/api-root/', 200],
      [creation, 201],
      [`${creation}v/`, 202],
      ['/dev/mailbox.json', 200],
      ['/login/', 200],
      ['/me/', 200],
      ['/sessions/', 200],
      ['/me/', 200],
      ['/confirm/', 204],
      ['/change-email/', 202],
      ['/forgot/', 202],
      ['/dev/mailbox.json', 200],
      ['/logout/', 204],
    ])
  })

  it('has commands that work if the address must be confirmed', async () => {
    const { url } = await startService({ REST_AUTH_SIGNUP_REQUIRE_EMAIL_CONFIRMATION: 'true' })
    const commands = await commandsOf(url)
    const jar = createClient(url)
    const [, signUp = '', mailbox = '', login = '', me = ''] = commands
    expect((await curl(signUp, jar)).status).toBe(202)
    const mail = await newestMail(url, 'verify-email', 'ada@example.org')
    expect(await (await curl(mailbox, jar)).json()).toContainEqual(mail)
    await fetch(new URL(linkIn(mail), url), { method: 'POST' })
    expect((await curl(login, jar)).status).toBe(200)
    expect((await curl(me, jar)).status).toBe(200)
  })

  it('has no signup command without the users routes', async () => {
    const { url } = await startService({ USERS_VARIANT: 'off' })
    const text = await (await fetch(url)).text()
    expect(text).toContain('The users routes are off')
    expect(text).not.toContain('/signup/')
    expect(text).not.toContain('/user/')
  })

  it('is at /start for browsers, which get the app at the root', async () => {
    const { url } = await startService()
    const root = await fetch(url, { headers: { accept: 'text/html' }, redirect: 'manual' })
    expect(await root.text()).toContain('<h1>An app with accounts</h1>')
    const response = await fetch(`${url}/start`, { headers: { accept: 'text/html' } })
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('content-security-policy')).not.toContain('unsafe')
    const page = await response.text()
    for (const command of await commandsOf(url)) expect(page).toContain(command)
    for (const path of ['dev/mailbox', 'docs', 'docs/json']) {
      expect(page).toMatch(new RegExp(`href="/?${path}"`))
      expect((await fetch(`${url}/${path}`)).status).toBe(200)
    }
    expect(page).toContain('npm run staff')
    expect(await (await fetch(`${url}/start`)).text()).toBe(await (await fetch(url)).text())
  })
})

describe('the command that makes a user staff', () => {
  const staff = (folder: string, ...words: string[]) =>
    spawnSync(process.execPath, [fileURLToPath(new URL('../dist/staff.js', import.meta.url)), ...words], {
      cwd: folder,
      env: { SCRYPT: '10,8,1' },
      encoding: 'utf8',
    })

  it('works while the server runs, and reports an unknown username', async () => {
    const folder = temporaryFolder()
    const { url } = await startService({}, folder)
    const ada = createClient(url)
    const password = 'seven-green-lanterns'
    await ada.post('/signup/', { username: 'ada', password, confirm_password: password })
    await ada.post('/login/', { username: 'ada', password })
    expect(await (await ada.get('/me/')).json()).toMatchObject({ is_staff: false })
    expect(staff(folder, 'ADA')).toMatchObject({ status: 0, stdout: 'ada is staff.\n', stderr: '' })
    expect(await (await ada.get('/me/')).json()).toMatchObject({ is_staff: true })
    expect(staff(folder, 'grace')).toMatchObject({
      status: 1,
      stdout: '',
      stderr: 'There is no user grace: sign up first.\n',
    })
    expect(staff(folder)).toMatchObject({ status: 1, stderr: 'Usage: npm run staff -- USERNAME\n' })
  })

  it('leaves waiting emails to the server', async () => {
    const folder = temporaryFolder()
    const { userStore, close } = await openDatabase({
      engine: 'sqlite',
      file: join(folder, 'data/accounts.db'),
    })
    try {
      await userStore.create(newUser({ username: 'ada', usernameKey: 'ada' }), [newPendingMail()])
      expect(staff(folder, 'ada')).toMatchObject({ status: 0, stdout: 'ada is staff.\n' })
      expect((await userStore.findByUsername('ada'))?.isStaff).toBe(true)
      expect(await userStore.outbox?.count()).toEqual({ waiting: 1, dead: 0 })
    } finally {
      await close()
    }
  })
})
