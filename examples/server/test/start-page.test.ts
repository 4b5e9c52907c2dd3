import { describe, expect, it } from 'vitest'
import { type Client, createClient, linkIn, newestMail } from './support/client.js'
import { start } from './support/server.js'

/** The commands of the start page, in order. */
async function commandsOf(url: string): Promise<string[]> {
  const text = await (await fetch(url)).text()
  return text.split('\n').filter((line) => line.startsWith('curl '))
}

/** Does what curl does with the options that the page uses; a client stands for the cookie file. */
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
    else if (word !== '-i') throw new Error(`the test does not know ${word} of: ${command}`)
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
    const { url } = await start(environment)
    expect(await statuses(url)).toEqual([
      ['/api-root/', 200],
      [creation, 201],
      ['/login/', 200],
      ['/me/', 200],
      ['/forgot/', 202],
      ['/dev/mailbox.json', 200],
      ['/logout/', 204],
    ])
  })

  it('has commands that work where the address must be confirmed', async () => {
    const { url } = await start({ REST_AUTH_SIGNUP_REQUIRE_EMAIL_CONFIRMATION: 'true' })
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

  it('has no command that signs up where nobody can', async () => {
    const { url } = await start({ USERS_VARIANT: 'off' })
    const text = await (await fetch(url)).text()
    expect(text).toContain('The users routes are off')
    expect(text).not.toContain('/signup/')
    expect(text).not.toContain('/user/')
  })

  it('says the same to a browser', async () => {
    const { url } = await start()
    const response = await fetch(url, { headers: { accept: 'text/html' } })
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const page = await response.text()
    for (const command of await commandsOf(url)) expect(page).toContain(command)
    expect(page).toContain('href="/dev/mailbox"')
    expect(page).not.toContain('<script')
  })
})
