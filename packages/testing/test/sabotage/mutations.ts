import { breaksLaws, later } from '@fastify-accounts/test-support/sabotage'
import { assertInTime, callBefore, callDeadline, UnavailableError } from 'fastify-accounts'
import { expect, test } from 'vitest'
import type { ConformanceCase } from '../../src/index.js'

type Method = (...given: never[]) => unknown

/** What goes wrong in one method of a store that is otherwise right. */
export type Mistake<Store, Name extends keyof Store> = (
  call: Extract<Store[Name], Method>,
  store: Store,
) => Extract<Store[Name], Method>

/** The same in more than one method. */
export type Mistakes<Store> = (store: Store) => Partial<Store>

/** By the law that must notice, then by the method: what goes wrong. */
export type Mutations<Store> = Readonly<
  Record<
    string,
    { readonly [Name in keyof Store]?: Readonly<Record<string, Mistake<Store, Name>>> } & {
      readonly several?: Readonly<Record<string, Mistakes<Store>>>
    }
  >
>

interface How {
  /** How often each mistake must be noticed, since it only shows if calls meet. */
  runs?: number
  /** Whether they are tried at the same time, as most of their laws wait. */
  atOnce?: boolean
  /** The law, if the keys of the table are what it must say. */
  law?: string
}

/** A test for each mistake: the suite, run on a store that makes it, must find the law broken. */
export function detects<Store extends object>(
  casesOf: (broken: (store: Store) => Store) => ConformanceCase[],
  table: Mutations<Store>,
  { runs = 1, atOnce = false, law: fixed }: How = {},
): void {
  const tried = atOnce ? test.concurrent : test
  for (const [key, methods] of Object.entries(table)) {
    const law = fixed ?? key
    for (const [method, mistakes] of Object.entries(methods)) {
      const name = method as keyof Store
      for (const [title, mistake] of Object.entries(mistakes)) {
        const broken = (store: Store): Store => ({
          ...store,
          ...(method === 'several'
            ? (mistake as unknown as Mistakes<Store>)(store)
            : { [method]: (mistake as unknown as Mistake<Store, typeof name>)(store[name] as never, store) }),
        })
        const where = method === 'several' ? '' : `${method}: `
        tried(`detected by ${law} · ${where}${title}`, { timeout: 60_000 }, async () => {
          const all = casesOf(broken)
          const own = runs > 1 ? all.filter((each) => each.name.includes(law)) : all
          for (let run = 0; run < runs; run += 1) {
            const reasons = await breaksLaws(own, law)
            if (fixed) expect(reasons).toContainEqual(expect.stringContaining(key))
          }
        })
      }
    }
  }
}

type Given<Call> = Call extends (...given: infer All) => unknown ? All : never
type Result<Call> = Call extends (...given: never[]) => infer Made ? Awaited<Made> : never
type Async = (...given: unknown[]) => Promise<unknown>

/** A method from another. */
const wrap = <Call extends Method>(call: Call, other: (call: Async) => Async): Call =>
  other(call as unknown as Async) as unknown as Call

/** The first argument is another. */
export const given =
  <Call extends Method>(other: (first: Given<Call>[0]) => Given<Call>[0]) =>
  (call: Call): Call =>
    wrap(
      call,
      (done) =>
        (first, ...rest) =>
          done(other(first as Given<Call>[0]), ...rest),
    )

/** The second argument is another. */
export const second =
  <Call extends Method>(other: (second: Given<Call>[1]) => Given<Call>[1]) =>
  (call: Call): Call =>
    wrap(
      call,
      (done) =>
        (first, one, ...rest) =>
          done(first, other(one as Given<Call>[1]), ...rest),
    )

/** The result is another. */
export const result =
  <Call extends Method>(
    other: (result: Result<Call>, ...given: Given<Call>) => Result<Call> | Promise<Result<Call>>,
  ) =>
  (call: Call): Call =>
    wrap(
      call,
      (done) =>
        async (...all) =>
          other((await done(...all)) as Result<Call>, ...(all as Given<Call>)),
    )

/** Nothing is done. */
export const says =
  <Call extends Method>(value: Result<Call>) =>
  (call: Call): Call =>
    wrap(call, () => async () => value)

/** What is rejected resolves to this. */
export const hides =
  <Call extends Method>(value: Result<Call>) =>
  (call: Call): Call =>
    wrap(
      call,
      (done) =>
        (...all) =>
          done(...all).catch(() => value),
    )

/** What is rejected is rejected with another error. */
export const fails =
  <Call extends Method>(other: (error: unknown, ...given: Given<Call>) => unknown) =>
  (call: Call): Call =>
    wrap(
      call,
      (done) =>
        (...all) =>
          done(...all).catch((error) => Promise.reject(other(error, ...(all as Given<Call>)))),
    )

/** Returns what it returned for the same first argument, unless that was nothing. */
export const remembers = <Call extends Method>(call: Call): Call =>
  wrap(call, (done) => {
    const known = new Map<unknown, Promise<unknown>>()
    return async (...all) => {
      const found = known.get(all[0]) ?? done(...all)
      known.set(all[0], found)
      if ((await found) === null) known.delete(all[0])
      return found
    }
  })

/** Works with what the last call was given, if another one comes in between. */
export const shares = <Call extends Method>(call: Call): Call =>
  wrap(call, (done) => {
    let last: unknown
    return async (first, ...rest) => {
      last = first
      await later()
      return done(last, ...rest)
    }
  })

/** Doesn't look at its deadline. */
export const whenever = <Call extends Method>(call: Call): Call =>
  wrap(
    call,
    (done) =>
      (...all) =>
        callBefore(Number.POSITIVE_INFINITY, () => done(...all)),
  )

/** Rejects if the deadline has passed once it is done. */
export const overdue = <Call extends Method>(call: Call): Call =>
  wrap(call, (done) => async (...all) => {
    assertInTime()
    const deadline = callDeadline()
    await later(2)
    const made = await whenever(done)(...all)
    if (performance.now() >= deadline) throw new UnavailableError('too late')
    return made
  })

/** Rejects at the deadline, but goes on. */
export const goesOn = <Call extends Method>(call: Call): Call =>
  wrap(call, (done) => async (...all) => {
    assertInTime()
    const deadline = callDeadline()
    const written = later(2).then(() => whenever(done)(...all))
    written.catch(() => undefined)
    if (deadline === Number.POSITIVE_INFINITY) return written
    const end = later(deadline - performance.now()).then(() => {
      throw new UnavailableError('too late')
    })
    return Promise.race([written, end])
  })

/** Says that it was late with an error of its own. */
export const aborts = <Call extends Method>(call: Call): Call =>
  wrap(call, (done) => async (...all) => {
    if (performance.now() >= callDeadline()) throw new Error('aborted')
    return whenever(done)(...all)
  })

/** The same mistake in several methods. */
export const each =
  <Store extends object, Name extends keyof Store>(
    names: readonly Name[],
    mistake: (call: Extract<Store[Name], Method>, store: Store) => Extract<Store[Name], Method>,
  ): Mistakes<Store> =>
  (store) =>
    Object.fromEntries(
      names.map((name) => [name, mistake(store[name] as Extract<Store[Name], Method>, store)]),
    ) as Partial<Store>

/** Whether a key is the twentieth, fortieth … of the keys passed so far. */
export function rarely(): (key: string | null | undefined) => boolean {
  const places = new Map<string, number>()
  return (key) => {
    if (typeof key !== 'string') return false
    const place = places.get(key) ?? places.size + 1
    places.set(key, place)
    return place % 20 === 0
  }
}

/** Does something to texts only. */
export const ofText =
  (change: (text: string) => string) =>
  <Value>(value: Value): Value =>
    typeof value === 'string' ? (change(value) as Value) : value

/** Anything but the errors that stores promise. */
export const foreign = (error?: unknown): Error => new Error('SQLITE_CONSTRAINT', { cause: error })

/** What a store keeps that replaces objects and lists down to this depth, and merges what is below. */
export function mergedBelow(depth: number, old: unknown, now: unknown): unknown {
  if (![old, now].every((value) => typeof value === 'object' && value !== null)) return now
  if (Array.isArray(old) !== Array.isArray(now)) return now
  const [from, to] = [old as Record<string, unknown>, now as Record<string, unknown>]
  const merged = Object.keys(to).map((name) => [name, mergedBelow(depth - 1, from[name], to[name])])
  const all = { ...(depth <= 0 && from), ...Object.fromEntries(merged) }
  return Array.isArray(now) ? Object.values(all) : all
}

/** The values without a name. */
export function without<Values extends object>(values: Values, ...names: string[]): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name))) as Values
}

/** The same mistakes for each of these. */
export const forEach = <Item extends string, Of>(items: readonly Item[], of: (item: Item) => Of) =>
  Object.fromEntries(items.map((item) => [item, of(item)])) as Record<Item, Of>
