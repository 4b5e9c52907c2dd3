import { goodPassword, otherPassword } from '@fastify-accounts/test-support/app'
import fc from 'fast-check'
import type { LightMyRequestResponse as Response } from 'fastify'
import type { Act, Delivery, Kept } from './deliveries.js'
import { type Claim, createRules } from './rules.js'
import type { Stage } from './stages.js'
import { createFutures, type Future, type World } from './worlds.js'

/** Parts of an app, or tabs of a browser. */
const parts = ['part 1', 'part 2', 'part 3'] as const
/** The thief knows no password. */
const people = [...parts, 'the thief'] as const

type Part = (typeof parts)[number]
type Person = (typeof people)[number]

/** A request; `isLost` if its response never arrives. */
interface Sending {
  act: Act
  by: Person
  isLost: boolean
}

type Step =
  | { wait: number }
  /** Takes what a part keeps, as the thief does, or a part that reads the storage of another. */
  | { copy: Part; by: Person }
  /** The next request is under way, with what is kept now. */
  | { leaves: Person }
  | { atOnce: Sending[] }

const second = 1000
const minute = 60 * second

/** Histories of a session. */
function historiesOf({ acts, isKeptApart, window }: Delivery): fc.Arbitrary<Step[]> {
  const part = fc.constantFrom(...parts)
  const person = fc.constantFrom(...people)
  const isLost = fc.nat({ max: 3 }).map((number) => number === 3)
  const sending = (act: Act) => {
    const by = act === 'confirm' || act === 'change password' ? part : person
    return fc.record({ act: fc.constant(act), by, isLost })
  }
  const often = fc.oneof(...acts.often.map(sending))
  const wait = fc.oneof(
    fc.integer({ min: 1, max: window }),
    fc.integer({ min: window - second, max: window + second }),
    fc.integer({ min: 1, max: 20 * minute }),
  )
  const copier = isKeptApart ? person : fc.constant<Person>('the thief')
  const step = fc.oneof(
    { weight: 40, arbitrary: fc.record({ atOnce: fc.tuple(often) }) },
    { weight: 8, arbitrary: fc.record({ atOnce: fc.array(often, { minLength: 2, maxLength: 3 }) }) },
    { weight: 3, arbitrary: fc.record({ atOnce: fc.tuple(fc.oneof(...acts.rare.map(sending))) }) },
    { weight: 20, arbitrary: fc.record({ wait }) },
    { weight: 8, arbitrary: fc.record({ leaves: person }) },
    { weight: 4, arbitrary: fc.record({ copy: part, by: copier }) },
  )
  return fc.noBias(fc.array<Step>(step, { maxLength: 60, size: 'max' }))
}

/** What was delivered once. What it says is another matter: of two at once, nobody knows which came first. */
interface Holding {
  /** Its place in the claims of each world. */
  number: number
  kept: Kept
  /** When it is no longer good for requests. */
  endsAt: number
}

/** To try more histories, or others: as many, drawn by this seed. */
const { SESSIONS_RUNS: number, SESSIONS_SEED: seed = 20_261_129 } = process.env

/** @throws Error with the history, as short as possible, if any comes otherwise than by the rules */
export async function checkHistories(stage: Stage, delivery: Delivery, runs: number): Promise<void> {
  const property = fc.asyncProperty(historiesOf(delivery), (history) => play(stage, delivery, history))
  await fc.assert(property, { numRuns: Number(number ?? runs), seed: Number(seed) })
}

let users = 0

/**
 * Plays a history through the front door.
 * @throws Error with the history, if anything comes otherwise than by the rules
 */
async function play(stage: Stage, delivery: Delivery, history: readonly Step[]): Promise<void> {
  users += 1
  const username = `alice-${users}`
  const email = `${username}@example.org`
  let passwords: Passwords = [goodPassword, otherPassword]
  await stage.addUser({ username, email, password: passwords[0] })

  /** Since the history began. */
  let time = 0
  const lines: string[] = []
  const rules = createRules(delivery, () => time)
  const futuresOf = createFutures(rules, delivery)
  let worlds: World[] = []
  let deliveries = 0
  let notices = 0
  const keepers = new Map<Person, Holding>()
  const underWay = new Map<Person, Holding>()

  await logIn()
  let late = 0
  for (const [at, step] of history.entries()) {
    if ('wait' in step) {
      time += step.wait
      await stage.advance(step.wait)
    } else if ('atOnce' in step) {
      await sendAtOnce(step.atOnce, at)
      // Long enough for all to find that it is over.
      late = isOver() ? late + 1 : 0
      if (late > 5) await logIn()
    } else {
      const held = keepers.get(keeperOf('copy' in step ? step.copy : step.leaves))
      if (held === undefined) continue
      if ('copy' in step) keepers.set(keeperOf(step.by), held)
      else underWay.set(step.leaves, held)
      const does = 'copy' in step ? `${step.by}: copies ${step.copy}` : `${step.leaves}: a request leaves`
      note(`${does} with ${claimOf(held)}`)
    }
  }
  if (await isTold()) fail('the owner was told of a reuse that was none')

  async function logIn(): Promise<void> {
    const account = { username, password: passwords[0] }
    const { delivered, response } = await delivery.send(stage.appFor(0), null, 'POST', '/login/', account)
    note('a login')
    if (delivered === null) return fail(response.body)
    worlds = [{ row: rules.begin(), claims: [{ generation: 0, epoch: 0, confirmation: 0 }] }]
    deliveries = 0
    const first = hold(delivered)
    underWay.clear()
    keepers.clear()
    for (const part of parts) keepers.set(keeperOf(part), first)
  }

  /** Whether no part has anything that is good. */
  function isOver(): boolean {
    const held = parts.flatMap((part) => keepers.get(keeperOf(part)) ?? [])
    return worlds.every(({ row, claims }) =>
      held.every(({ number }) => row.isEnded || claims[number]?.epoch !== row.epoch),
    )
  }

  /** Tabs share what their browser keeps. */
  function keeperOf(person: Person): Person {
    return delivery.isKeptApart || person === 'the thief' ? person : parts[0]
  }

  function hold(kept: Kept): Holding {
    deliveries += 1
    return { number: deliveries - 1, kept, endsAt: time + delivery.lifetime }
  }

  function isExpired({ endsAt }: Holding): boolean {
    return endsAt <= time
  }

  async function sendAtOnce(sendings: readonly Sending[], at: number): Promise<void> {
    const sent = sendings.flatMap((sending) => {
      const held = underWay.get(sending.by) ?? keepers.get(keeperOf(sending.by))
      underWay.delete(sending.by)
      return held === undefined ? [] : [{ ...sending, held, number: held.number, isExpired: isExpired(held) }]
    })
    for (const { act, by, isLost, held } of sent)
      note(
        `${by}: ${act} with ${claimOf(held)}${sent.length > 1 ? ', at once' : ''}${isLost ? ', lost' : ''}`,
      )
    const got = await Promise.all(
      sent.map(({ act, held: { kept } }, n) =>
        delivery.send(stage.appFor(at + n), kept, ...requestOf(act, kept, passwords)),
      ),
    )
    const said = got.map(({ response, delivered }, n) =>
      describe(saidBy(response), sent[n]?.act !== 'visit' && delivered !== null),
    )
    const mayBeReuse = sent.some(({ act }, n) => act === 'refresh' && said[n] === 'refused')
    const seen = [...said, ...(mayBeReuse && (await isTold()) ? ['the owner is told'] : [])].join(', ')
    note(`  ${seen}`)
    const futures = worlds.flatMap((world) => [...futuresOf(world, sent)])
    const possible = futures.filter((future) => describeFuture(future) === seen)
    if (possible.length === 0) {
      const expected = [...new Set(futures.map(describeFuture))].join(' or ')
      fail(`expected ${expected}; got ${seen}: ${got.map(({ response }) => response.body).join(' ')}`)
    }
    worlds = distinct(possible.map(worldAfter))

    for (const [n, { act, by, isLost, held }] of sent.entries()) {
      const { delivered = null, isCleared } = got[n] ?? {}
      // A response that refuses may come after one that delivers.
      if (isCleared && act !== 'log out') fail('a cookie was cleared')
      if (act === 'visit' && delivered !== null && !worlds.some((world) => isNewestIn(world, held)))
        fail('an older claim was signed anew')
      const holding =
        delivered === null ? null : act === 'visit' ? { ...held, kept: delivered } : hold(delivered)
      if (act === 'change password' && holding !== null) passwords = [passwords[1], passwords[0]]
      if (isLost) continue
      if (holding !== null) keepers.set(keeperOf(by), holding)
      if (act === 'log out') keepers.delete(keeperOf(by))
    }
  }

  /** Whether the owner has been told of a reuse since this was asked. */
  async function isTold(): Promise<boolean> {
    const before = notices
    notices = await stage.notices(email)
    return notices > before
  }

  function claimOf(held: Holding): string {
    const spelled = worlds.map(({ claims }) => {
      const { generation, epoch, confirmation } = claims[held.number] as Claim
      return `generation ${generation}, epoch ${epoch}, confirmation ${confirmation}`
    })
    return `${[...new Set(spelled)].join(' or ')}${isExpired(held) ? ', expired' : ''}`
  }

  function note(what: string): void {
    lines.push(`${(time / second).toFixed(3).padStart(10)} s  ${what}`)
  }

  function fail(problem: string): never {
    throw new Error(`${problem}\n${lines.join('\n')}`)
  }
}

function isNewestIn({ row, claims }: World, { number }: Holding): boolean {
  return claims[number]?.generation === row.newest
}

const describe = (said: string, isDelivery: boolean): string =>
  isDelivery ? `${said} with a delivery` : said

function describeFuture({ outcomes }: Future): string {
  const said = outcomes.map((each) => describe(each.said, each.claim !== undefined))
  return [...said, ...(outcomes.some(({ isTold }) => isTold) ? ['the owner is told'] : [])].join(', ')
}

/** With what was delivered, in the order of the requests. */
function worldAfter({ world, outcomes }: Future): World {
  return { ...world, claims: [...world.claims, ...outcomes.flatMap(({ claim }) => claim ?? [])] }
}

function distinct(worlds: readonly World[]): World[] {
  return [...new Map(worlds.map((world) => [JSON.stringify(world), world])).values()]
}

type Passwords = [present: string, next: string]

function requestOf(
  act: Act,
  kept: Kept,
  [present, next]: Passwords,
): [method: 'GET' | 'POST', url: string, body?: object] {
  const token = typeof kept === 'string' ? '' : (kept.refresh_token ?? kept.access_token)
  switch (act) {
    case 'visit':
      return ['GET', '/recent']
    case 'refresh':
      return ['POST', '/tokens/refresh/', { refresh_token: token }]
    case 'revoke':
      return ['POST', '/tokens/revoke/', { token }]
    case 'log out':
      return ['POST', '/logout/']
    case 'confirm':
      return ['POST', '/confirm/', { password: present }]
    case 'change password': {
      const body = { old_password: present, new_password: next, confirm_password: next }
      return ['POST', '/change-password/', body]
    }
  }
}

function saidBy({ statusCode, body }: Response): string {
  if (statusCode < 300) return 'done'
  if (statusCode === 403 && body.includes('ACCOUNTS_CONFIRMATION_REQUIRED')) return 'not confirmed'
  return statusCode === 401 ? 'refused' : `${statusCode}`
}
