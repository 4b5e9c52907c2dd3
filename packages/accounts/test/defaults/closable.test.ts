import { expect, test } from 'vitest'
import { closable } from '../../src/index.js'

/** The way many stores are written: a class with private fields and its own outbox. */
class Store {
  readonly #log: string[] = []
  readonly listsBy = ['createdAt'] as const
  open = () => {}
  readonly outbox = { add: (): Promise<string> => this.response('add') }
  readonly withUsers = { users: this.outbox, find: (): Promise<string> => this.response('find') }

  async response(call: string): Promise<string> {
    await new Promise<void>((resolve) => {
      this.open = resolve
    })
    this.#log.push(call)
    return call
  }

  log(): Promise<string[]> {
    return Promise.resolve([...this.#log])
  }
}

test('close waits for pending calls, including those of the outbox and withUsers, and frees once', async () => {
  for (const call of ['response', 'add', 'find'] as const) {
    const inner = new Store()
    const done: string[] = []
    const store = closable(inner, async () => {
      done.push('freed')
    })
    const calls = { add: store.outbox.add, find: store.withUsers.find, response: () => store.response(call) }
    const response = calls[call]()
    void response.then(() => done.push('returned'))
    const closed = [store.close(), store.close()]
    await new Promise(setImmediate)
    expect(done).toEqual([])
    inner.open()
    await Promise.all(closed)
    await store.close()
    expect(done).toEqual(['returned', 'freed'])
    expect(await inner.log()).toEqual([call])
  }
})

test("later calls reject, and properties that aren't methods are kept", async () => {
  const inner = new Store()
  const store = closable(inner, () => undefined)
  expect(store.listsBy).toEqual(['createdAt'])
  expect(store.withUsers.users).toBe(inner.outbox)
  expect(await store.log()).toEqual([])
  await store.close()
  for (const call of [
    () => store.log(),
    () => store.response('late'),
    () => store.outbox.add(),
    () => store.withUsers.find(),
  ]) {
    await expect(call()).rejects.toMatchObject({ name: 'UnavailableError', message: 'the store is closed' })
  }
})

test('a failing call fails for its caller only', async () => {
  const inner = {
    fails: () => Promise.reject(new Error('broken')),
    throws: async () => expect.fail('thrown'),
  }
  const store = closable(inner, () => undefined)
  const call = store.fails()
  const closing = store.close()
  await expect(call).rejects.toThrow('broken')
  await closing
})
