import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { readSettings } from '../src/config.js'

interface Service {
  image: string
  environment: Record<string, string>
  healthcheck?: { test: string[] }
  ports?: string[]
  networks: string[] | Record<string, { ipv4_address: string }>
}

const read = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')

const needed = {
  SECRET: 'a'.repeat(8) + 'bcdefgh'.repeat(8),
  POSTGRES_PASSWORD: 'f00d',
  REDIS_PASSWORD: 'cafe',
}

/** The services as Compose sees them, with variables substituted, including `${NAME:?why}` and `${NAME:-default}`. */
function servicesWith(variables: Record<string, string>): Record<string, Service> {
  const text = read('compose.yaml').replaceAll(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name, sign, word) => {
    const value = variables[name] ?? ''
    if (value === '' && sign === '?') throw new Error(`${name} is missing: ${word}`)
    return value === '' && sign === '-' ? word : value
  })
  return parse(text, { merge: true }).services
}

/** The environments of the server's processes. */
function environmentsWith(variables: Record<string, string>): Record<string, string>[] {
  const services = Object.entries(servicesWith(variables))
  return services.filter(([name]) => name.startsWith('accounts')).map(([, { environment }]) => environment)
}

/** The variables that the server reads. */
function knownVariables(): Set<string> {
  const known = new Set<string>()
  readSettings(
    new Proxy<Record<string, string>>(
      {},
      {
        get(_, name) {
          known.add(String(name))
          return undefined
        },
      },
    ),
  )
  return known
}

describe('compose.yaml', () => {
  it('sets only variables that the server reads', () => {
    const [first = {}, second] = environmentsWith(needed)
    expect([...knownVariables()]).toEqual(expect.arrayContaining(Object.keys(first)))
    expect(second).toEqual(first)
  })

  it('produces valid settings for two processes that share everything', () => {
    for (const environment of environmentsWith(needed)) {
      expect(readSettings(environment)).toMatchObject({
        host: '0.0.0.0',
        port: 3000,
        baseUrl: 'http://localhost',
        secret: [needed.SECRET],
        database: { engine: 'postgres', url: 'postgres://accounts:f00d@postgres/accounts' },
        redisUrl: 'redis://:cafe@redis',
        smtp: null,
      })
    }
  })

  it('takes the public URL and the mail server from variables', () => {
    const outside = {
      BASE_URL: 'https://accounts.example.org',
      SMTP_URL: 'smtps://mail.example.org',
      MAIL_FROM: 'accounts@example.org',
    }
    for (const environment of environmentsWith({ ...needed, ...outside })) {
      expect(readSettings(environment)).toMatchObject({
        baseUrl: outside.BASE_URL,
        smtp: { url: outside.SMTP_URL, from: outside.MAIL_FROM },
        warnings: [],
      })
    }
    expect(servicesWith({ ...needed, ...outside }).proxy?.environment.BASE_URL).toBe(outside.BASE_URL)
  })

  it.each(Object.keys(needed))('fails without %s, and says how to generate it', (name) => {
    expect(() => environmentsWith({ ...needed, [name]: '' })).toThrow(`${name} is missing: use the output of`)
  })

  it("trusts only the proxy's address, and is only reachable through the proxy", () => {
    const { proxy, ...others } = servicesWith(needed)
    const front = Array.isArray(proxy?.networks) ? undefined : proxy?.networks.front
    for (const environment of environmentsWith(needed)) {
      expect(isIP(`${environment.TRUST_PROXY}`)).toBe(4)
      expect(environment.TRUST_PROXY).toBe(front?.ipv4_address)
      expect(readSettings(environment).trustProxy).toEqual([front?.ipv4_address])
    }
    for (const service of Object.values(others)) expect(service.ports).toBeUndefined()
    // By default only this machine can reach the mailbox, which exists without a mail server.
    for (const port of proxy?.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:/)
  })

  it('pins the major version of each image, and defines a health check for each service', () => {
    for (const { image, healthcheck } of Object.values(servicesWith(needed))) {
      if (image !== 'fastify-accounts-example') expect(image).toMatch(/^[a-z]+:\d+(-|$)/)
      expect(healthcheck?.test.length).toBeGreaterThan(1)
    }
  })

  it('starts the processes that the proxy forwards to', () => {
    const processes = Object.keys(servicesWith(needed)).filter((name) => name.startsWith('accounts'))
    const [, upstreams = ''] = /reverse_proxy (.+) \{/.exec(read('Caddyfile')) ?? []
    expect(upstreams.split(' ')).toEqual(processes.map((name) => `${name}:3000`))
  })
})

describe('Dockerfile', () => {
  it('pins the major version of Node.js, and does not run as root', () => {
    const lines = read('Dockerfile').split('\n')
    const images = lines.filter((line) => line.startsWith('FROM '))
    expect(images).toHaveLength(2)
    for (const image of images) expect(image).toMatch(/^FROM node:\d+-slim/)
    const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')))
    expect(last).toContain('USER node')
    // The built scripts, and the stylesheet.
    for (const folder of ['dist', 'web'])
      expect(last).toContain(`COPY --from=build /service/${folder} ${folder}`)
  })
})
