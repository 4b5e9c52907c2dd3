import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { DriverName } from '@fastify-accounts/test-support/databases'
import { isTried, times } from '@fastify-accounts/test-support/depth'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hostileValues } from './hostile.js'
import { openTarget, type Response, type Shot, type Target } from './target.js'

/** `npm run fuzz` sets more requests, another engine, or the seed of a failed run. */
const requests = Number(process.env.FUZZ_REQUESTS ?? times({ quick: 1000, full: 10_000 }))
const seed = Number(process.env.FUZZ_SEED ?? 20_261_121)
const driver = (process.env.FUZZ_DRIVER ?? 'libsql') as DriverName

let target: Target
beforeAll(async () => {
  target = await openTarget(driver)
})
afterAll(() => target?.close())

/** For every request: no server error, no slow response, no leaked secret, no pollution, no new session. */
function check(shot: Shot, response: Response): void {
  const story = () => JSON.stringify({ ...shot, body: shot.body?.toString() }).slice(0, 2000)
  if (response.status >= 500) expect.fail(`${response.status} for ${story()}\n${response.body}`)
  if (response.milliseconds > 1000) expect.fail(`${response.milliseconds} ms for ${story()}`)
  if (target.secrets.some((each) => response.body.includes(each)))
    expect.fail(`leaked a secret for ${story()}`)
  const began = response.headers['set-cookie']?.some((each) => /^session=[^;]/.test(each))
  if (began) expect.fail(`started a session for ${story()}`)
  if ('polluted' in {}) expect.fail(`polluted a prototype after ${story()}`)
  if (target.errors.length > 0) expect.fail(`${target.errors.join()} after ${story()}`)
}

let names = 0

/** Fields that would be valid, except that they must not use up the link or change the password. */
function goodFields(path: string): Record<string, string> {
  names += 1
  const creates = path === '/user/' || path === '/signup/'
  const all: Record<string, string> = {
    username: `carol${names}`,
    password: 'another good password',
    old_password: 'another good password',
    new_password: 'yet another password',
    confirm_password: creates ? 'another good password' : 'not the same at all',
    email: `carol${names}@example.org`,
  }
  return Object.fromEntries((target.bodies[path] ?? []).map((name) => [name, all[name] ?? '']))
}

/** The same with one hostile value; a password and its confirmation match. */
function badFields(path: string, field: string, value: unknown): Record<string, unknown> {
  const fields: Record<string, unknown> = { ...goodFields(path), [field]: value }
  if (field === 'password' && 'confirm_password' in fields) fields.confirm_password = value
  return fields
}

const json = { 'content-type': 'application/json' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
/** Encodes a value into a path that a client can send. */
const encoded = (value: unknown) =>
  encodeURIComponent(textOf(value).toWellFormed()).replaceAll('.', '%2E').replaceAll("'", '%27')

function* everyField(): Generator<Shot> {
  for (const { method, path } of target.routes) {
    const { live } = target
    const livePath = path
      .replace('/reset/{uid64}/{token}/', live.reset)
      .replace(/\/(user|signup)\/v\/\{uid64\}\/\{token\}\//, live.verify)
      .replace('{pk}', live.id)
    const headers = dressed(path, { cookie: live.cookie })
    for (const value of hostileValues) {
      for (const field of method === 'POST' || method === 'PATCH' ? (target.bodies[path] ?? []) : []) {
        const fields = badFields(path, field, value)
        const body = JSON.stringify(fields)
        yield { method, path: livePath, headers: { ...headers, ...json }, body }
        if (typeof value !== 'string') continue
        const pairs = new URLSearchParams(fields as Record<string, string>)
        yield { method, path: livePath, headers: { ...headers, ...form }, body: pairs.toString() }
      }
      for (const [hole] of path.matchAll(/\{\w+\}/g)) {
        const filled = path.replace(hole, encoded(value)).replaceAll(/\{\w+\}/g, 'MQ')
        yield { method, path: filled, headers }
      }
      if (method === 'GET') {
        yield { method, path: `${livePath}?limit=${encoded(value)}`, headers }
        yield { method, path: `${livePath}?cursor=${encoded(value)}&${encoded(value)}=1`, headers }
      }
      // Header values are Latin-1 bytes.
      const text = Buffer.from(textOf(value))
        .toString('latin1')
        .replace(/[^\t\x20-\x7e\x80-\xff]/g, '')
      for (const name of [
        'cookie',
        'origin',
        'sec-fetch-site',
        'accept',
        'x-forwarded-for',
        'content-type',
      ]) {
        const dressed = name === 'cookie' ? `session=${text}; session-device=${text}` : text
        if (value === hostileValues[0] || path === '/login/' || path === '/me/') {
          yield { method, path: livePath, headers: { ...headers, [name]: dressed.slice(0, 4000) } }
        }
      }
    }
  }
}

/** Requests of every shape, some almost valid. */
function randomShots(): fc.Arbitrary<Shot> {
  const { live, routes } = target
  const text = fc.oneof(
    fc.constantFrom(...hostileValues.filter((value) => typeof value === 'string')),
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.string({ unit: 'grapheme', maxLength: 200 }),
    fc.constantFrom('alice', 'another good password', 'alice@example.org'),
  )
  const value = fc.oneof({ weight: 3, arbitrary: text }, fc.constantFrom(...hostileValues), fc.jsonValue())
  const field = fc.oneof(fc.constantFrom(...new Set(Object.values(target.bodies).flat())), text)
  const fields = fc.dictionary(field, value, { maxKeys: 6 })
  const body = fc.oneof(
    { weight: 4, arbitrary: fields.map((each) => JSON.stringify(each)) },
    {
      weight: 2,
      arbitrary: fc
        .array(fc.tuple(field, text), { maxLength: 6 })
        .map((pairs) =>
          new URLSearchParams(pairs.map(([a, b]): [string, string] => [a.toWellFormed(), b])).toString(),
        ),
    },
    fc.json(),
    fc.string({ unit: 'binary', maxLength: 300 }).map((each) => Buffer.from(each)),
    fc.uint8Array({ maxLength: 300 }).map((each) => Buffer.from(each)),
    fc.constant('['.repeat(10_000)),
    fc.constant('a'.repeat(17 * 1024)),
  )
  const contentType = fc.constantFrom(
    'application/json',
    'application/json',
    'application/json; charset=utf-8',
    'application/x-www-form-urlencoded',
    'application/json; charset=utf-16',
    'application/vnd.api+json',
    'multipart/form-data; boundary=a',
    'text/plain',
    'application/json\ta',
    'APPLICATION/JSON',
    '',
  )
  const hole = fc.oneof(
    text.map(encoded),
    fc.constantFrom(live.id, ...live.reset.split('/'), ...live.verify.split('/')),
  )
  const path = fc.oneof(
    {
      weight: 6,
      arbitrary: fc
        .tuple(
          fc.constantFrom(...routes.map((route) => route.path)),
          fc.array(hole, { minLength: 2, maxLength: 2 }),
        )
        .map(([template, parts]) => template.replaceAll(/\{\w+\}/g, () => parts.pop() || 'MQ')),
    },
    { weight: 2, arbitrary: fc.constantFrom(live.reset, live.verify) },
    fc.array(hole, { maxLength: 5 }).map((parts) => `/${parts.join('/')}`),
  )
  const query = fc.array(fc.tuple(fc.constantFrom('limit', 'cursor', 'a', '__proto__'), text.map(encoded)), {
    maxLength: 3,
  })
  const anyMethod = fc.constantFrom(
    'GET',
    'HEAD',
    'POST',
    'PUT',
    'PATCH',
    'DELETE',
    'OPTIONS',
    'TRACE',
    'PROPFIND',
  )
  const headers = fc.record(
    {
      cookie: fc.constantFrom(
        live.cookie,
        'session=a.b',
        `${live.cookie}; ${live.cookie}`,
        'session=%E0%A4%A',
      ),
      accept: fc.constantFrom('text/html', 'application/json', '*/*', 'text/html;q=0, */*', 'a/b', ';;q=a'),
      origin: fc.constantFrom('http://localhost:3000', 'http://evil.example', 'null', ''),
      'sec-fetch-site': fc.constantFrom('same-origin', 'cross-site', 'none', 'same-site', 'a'),
      'content-type': contentType,
      'accept-version': fc.constantFrom('1.x', '*', 'a'),
      'x-http-method-override': fc.constantFrom('DELETE', 'PUT'),
    },
    { requiredKeys: [] },
  )
  const shaped = fc
    .record({ method: fc.oneof(anyMethod, fc.constantFrom('GET', 'POST')), path, query, headers, body })
    .map(({ method, path: to, query: pairs, headers: given, body: content }): Shot => {
      const suffix = pairs.length > 0 ? `?${pairs.map(([a, b]) => `${a}=${b}`).join('&')}` : ''
      const bodiless = method === 'GET' || method === 'HEAD' || method === 'TRACE'
      return {
        method,
        path: to + suffix,
        headers: dressed(to, given),
        ...(bodiless ? {} : { body: content }),
      }
    })
  // Valid requests except for a field or two.
  const nearlyRight = fc
    .record({
      to: fc.constantFrom(...Object.keys(target.bodies)),
      field,
      value,
      headers: fc.record({ cookie: fc.constantFrom(live.cookie) }, { requiredKeys: [] }),
      asForm: fc.boolean(),
    })
    .map(({ to, field: name, value: bad, headers: given, asForm }): Shot => {
      const fields = badFields(to, name, bad)
      const livePath = to.includes('{') ? live.reset : to
      return asForm
        ? {
            method: 'POST',
            path: livePath,
            headers: { ...dressed(to, given), ...form },
            body: new URLSearchParams(
              Object.entries(fields).map(([a, b]): [string, string] => [a.toWellFormed(), textOf(b)]),
            ).toString(),
          }
        : {
            method: 'POST',
            path: livePath,
            headers: { ...dressed(to, given), ...json },
            body: JSON.stringify(fields),
          }
    })
  return fc.oneof(shaped, nearlyRight)
}

/** Drops the cookie for /logout, which would end the session that later requests need. */
function dressed(path: string, headers: Record<string, string | undefined>): Record<string, string> {
  const kept = Object.entries(headers).filter(
    (pair): pair is [string, string] =>
      pair[1] !== undefined && !(pair[0] === 'cookie' && path.startsWith('/logout')),
  )
  return Object.fromEntries(kept)
}

describe(`the fuzzer, on ${driver}`, () => {
  test('has enough hostile values', () => {
    expect(hostileValues.length).toBeGreaterThanOrEqual(120)
  })

  test('every field of every route withstands every hostile value', async () => {
    const seen = new Map<number, number>()
    let [made, sent] = [0, 0]
    for (const shot of everyField()) {
      made += 1
      if (!isTried(`${made}`)) continue
      const response = await target.send(shot)
      check(shot, response)
      sent += 1
      seen.set(response.status, (seen.get(response.status) ?? 0) + 1)
    }
    console.log(`fuzz: ${sent} requests, one hostile value each: ${tally(seen)}`)
    // Enough requests got as far as validation.
    const least = times({ quick: 25, full: 100 })
    for (const status of [200, 202, 400, 401, 404]) expect(seen.get(status) ?? 0).toBeGreaterThan(least)
  })

  test(`withstands ${requests} random requests`, { timeout: 4 * 3_600_000 }, async () => {
    const seen = new Map<number, number>()
    const heaps: number[] = []
    let sent = 0
    const property = fc.asyncProperty(randomShots(), async (shot) => {
      const response = await target.send(shot)
      check(shot, response)
      sent += 1
      seen.set(response.status, (seen.get(response.status) ?? 0) + 1)
      if (sent % Math.ceil(requests / 4) === 0) heaps.push(heapInUse())
    })
    await fc.assert(property, { numRuns: requests, seed, endOnFailure: true })
    console.log(`fuzz: ${sent} random requests, seed ${seed}: ${tally(seen)}; heap ${heaps.join(', ')} MB`)
    for (const status of [200, 202, 400, 401, 403, 404, 405, 413, 415]) {
      expect(seen.get(status) ?? 0, `responses with ${status}`).toBeGreaterThan(0)
    }
    const [warm = 0] = heaps
    expect(heaps.at(-1)).toBeLessThanOrEqual(warm * 1.1)
  })
})

function tally(seen: ReadonlyMap<number, number>): string {
  return [...seen]
    .sort(([a], [b]) => a - b)
    .map(([status, count]) => `${status}: ${count}`)
    .join(', ')
}

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** In MB, after a garbage collection. */
function heapInUse(): number {
  collectGarbage()
  return Math.round(process.memoryUsage().heapUsed / 100_000) / 10
}
