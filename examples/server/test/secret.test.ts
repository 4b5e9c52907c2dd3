import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createClient } from '@fastify-accounts/test-support/example-server/client'
import { start, temporaryFolder } from '@fastify-accounts/test-support/example-server/server'
import { describe, expect, it } from 'vitest'
import { SettingError } from '../src/config.js'
import { keptSecret } from '../src/secret.js'

describe('the generated secret', () => {
  it('stays the same, and is readable by its owner only', () => {
    const file = `${temporaryFolder()}/data/secret`
    const secret = keptSecret(file)
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32)
    expect(keptSecret(file)).toBe(secret)
    expect(readFileSync(file, 'utf8')).toBe(secret)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('differs between folders', () => {
    expect(keptSecret(`${temporaryFolder()}/secret`)).not.toBe(keptSecret(`${temporaryFolder()}/secret`))
  })

  it('stops the start if the file contains none', () => {
    const file = `${temporaryFolder()}/secret`
    writeFileSync(file, '')
    expect(() => keptSecret(file)).toThrow(SettingError)
    expect(() => keptSecret(file)).toThrow(/^SECRET is not set, and .* contains none/)
  })

  it('stops the start if it cannot be stored', () => {
    const folder = temporaryFolder()
    mkdirSync(`${folder}/secret`)
    expect(() => keptSecret(`${folder}/secret`)).toThrow(
      /^SECRET is not set, and cannot be stored in .*: EISDIR$/,
    )
    expect(() => keptSecret('/dev/null/secret')).toThrow(
      /^SECRET is not set, and cannot be stored in .*: ENOTDIR$/,
    )
  })

  it('keeps users logged in across a restart', async () => {
    const folder = temporaryFolder()
    const password = 'seven-green-lanterns'
    const first = await start({}, folder)
    const ada = createClient(first.url)
    await ada.post('/signup/', { username: 'ada', password, confirm_password: password })
    await ada.post('/login/', { username: 'ada', password })
    first.process.kill('SIGTERM')
    expect(await first.ended).toBe(0)

    const again = createClient((await start({}, folder)).url)
    for (const [name, value] of ada.cookies) again.cookies.set(name, value)
    expect((await again.get('/me/')).status).toBe(200)
  })
})
