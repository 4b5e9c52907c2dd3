import { describe, expect, it } from 'vitest'
import type { PasswordHasher } from '../src/index.js'
import { cheapHasher, goodPassword, logIn, otherPassword, signUp, testApp } from './support/app.js'

/** A hasher that a test can hold up; it notes what is under way, and in which order work is done. */
function gated(): PasswordHasher & { close(): void; open(): void; underWay: number; done: string[] } {
  const hasher = cheapHasher()
  let gate: Promise<void> | undefined
  let release = (): void => {}
  async function pass<T>(deed: string, work: () => Promise<T>): Promise<T> {
    self.underWay += 1
    await gate
    self.underWay -= 1
    self.done.push(deed)
    return work()
  }
  const self = {
    underWay: 0,
    done: [] as string[],
    close() {
      gate = new Promise((resolve) => {
        release = resolve
      })
    },
    open() {
      gate = undefined
      release()
    },
    hash: (password: string) => pass(`hash ${password}`, () => hasher.hash(password)),
    verify: (password: string, hash: string) =>
      pass(`verify ${password}`, () => hasher.verify(password, hash)),
    canVerify: hasher.canVerify,
    needsRehash: hasher.needsRehash,
  }
  return self
}

const guess = (n: number) => ({ username: 'alice', password: `guess number ${n}` })

describe('the queue of the hasher', () => {
  it.each([1, 3])(
    'DOS-01 hashes %i at a time, lets 64 wait, and refuses the others at once',
    async (concurrency) => {
      const hasher = gated()
      const service = await testApp({ passwordHasher: hasher, password: { concurrency } })
      await signUp(service)
      hasher.close()
      const answers: number[] = []
      const all = Array.from({ length: 200 }, async (_, n) => {
        const answer = await service.send('POST', '/login/', guess(n))
        answers.push(answer.statusCode)
        return answer
      })
      while (answers.length < 200 - 64 - concurrency) await service.settle()
      await service.settle()
      expect(hasher.underWay).toBe(concurrency)
      // Nobody who is refused waited for a hash: none was made yet.
      expect(answers).toEqual(Array(200 - 64 - concurrency).fill(503))
      hasher.open()
      const done = await Promise.all(all)
      for (const answer of done.filter(({ statusCode }) => statusCode === 503)) {
        expect(answer.json()).toMatchObject({ code: 'ACCOUNTS_UNAVAILABLE' })
        expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
      }
      expect(done.filter(({ statusCode }) => statusCode === 401)).toHaveLength(64 + concurrency)
    },
  )

  it('DOS-01 lets who is logged in, or on a known device, go before strangers, also where it is full of those', async () => {
    const hasher = gated()
    const service = await testApp({ passwordHasher: hasher, password: { concurrency: 1 } })
    await signUp(service)
    const login = await service.send('POST', '/login/', { username: 'alice', password: goodPassword })
    const device = login.cookies.find(({ name }) => name === 'accounts-device')
    const cookie = await logIn(service)
    hasher.close()
    hasher.done.length = 0
    const strangers = Array.from({ length: 100 }, (_, n) => service.send('POST', '/login/', guess(n)))
    await service.settle()
    const onDevice = service.send(
      'POST',
      '/login/',
      { username: 'alice', password: goodPassword },
      { headers: { cookie: `accounts-device=${device?.value}` } },
    )
    const change = {
      old_password: goodPassword,
      new_password: otherPassword,
      confirm_password: otherPassword,
    }
    const changing = service.send('POST', '/change-password/', change, { headers: { cookie } })
    await service.settle()
    hasher.open()
    const statuses = (await Promise.all([onDevice, changing])).map(({ statusCode }) => statusCode)
    expect(statuses).toEqual([200, 204])
    await Promise.all(strangers)
    // One stranger was under way; the new hash is asked for when the old one is done, and goes first too.
    expect(hasher.done.slice(1, 3)).toEqual([`verify ${goodPassword}`, `verify ${goodPassword}`])
    expect(hasher.done.indexOf(`hash ${otherPassword}`)).toBeLessThan(6)
  })
})
