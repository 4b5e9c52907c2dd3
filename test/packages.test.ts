import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { root } from './support/source.js'

/** Runs a CommonJS script beside the example server, where the built packages are installed. */
function runCommonJs(script: string): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, ['--input-type=commonjs', '--eval', script], {
    cwd: `${root}examples/server`,
    encoding: 'utf8',
    env: { PATH: process.env.PATH },
  })
}

describe('the built packages from CommonJS', () => {
  it('are loaded by require, without a warning', () => {
    const { status, stdout, stderr } = runCommonJs(`
      const accounts = require('fastify-accounts')
      const testing = require('fastify-accounts/testing')
      const kysely = require('@fastify-accounts/kysely')
      const nodemailer = require('@fastify-accounts/nodemailer')
      const redis = require('@fastify-accounts/redis')
      console.log(JSON.stringify([
        typeof accounts.default,
        typeof accounts.AccountsError,
        typeof testing.userStoreCases,
        typeof kysely.createKyselyUserStore,
        typeof nodemailer.createNodemailerMailer,
        typeof redis.createRedisSessionStore,
      ]))
    `)
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(JSON.parse(stdout)).not.toContain('undefined')
  })

  it('log a user in', () => {
    const { status, stdout, stderr } = runCommonJs(`
      const Fastify = require('fastify')
      const accounts = require('fastify-accounts').default

      async function main() {
        const app = Fastify()
        app.register(accounts, { secret: 'a secret that is long enough for a test', baseUrl: 'http://localhost', users: true })
        await app.ready()
        const password = 'seven-green-lanterns'
        const post = (url, payload) => app.inject({ method: 'POST', url, payload })
        const created = await post('/signup/', { username: 'ada', password, confirm_password: password })
        const login = await post('/login/', { username: 'ada', password })
        const cookies = Object.fromEntries(login.cookies.map(({ name, value }) => [name, value]))
        const me = await app.inject({ url: '/me/', cookies })
        await app.close()
        console.log(JSON.stringify([created.statusCode, login.statusCode, me.statusCode, me.json().username]))
      }
      main()
    `)
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(JSON.parse(stdout)).toEqual([201, 200, 200, 'ada'])
  })
})
