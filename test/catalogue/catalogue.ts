import { isFull, isQuick, sample } from '@fastify-accounts/test-support/depth'
import {
  type Ground,
  type GroundName,
  grounds,
  type OpenGround,
} from '@fastify-accounts/test-support/grounds'
import { afterAll, afterEach, beforeAll, beforeEach, describe, test } from 'vitest'
import ids from './ids.json' with { type: 'json' }
import { type Scene, setScene } from './service.js'

export type Area = keyof typeof ids

/** What README.md says about a case; scripts/security-table.mjs reads it from vitest's report. */
export interface CaseFacts {
  id: string
  /** The attempt, in a few words. */
  tried: string
  /** What must happen. */
  expected: string
  /**
   * On what the outcome depends: on a rule of the plugin, which is the same on all stores, or on what they promise, such
   * as who wins a race, and what a restart or an outage leaves.
   */
  on: 'the rule' | 'storage'
  /** The only grounds that it runs on, and why. */
  only?: readonly GroundName[]
  because?: string
}

declare module 'vitest' {
  interface TaskMeta {
    securityCase?: CaseFacts & { ground: GroundName }
    securityDecision?: { id: string; tried: string; decision: string }
  }
}

/** Restricts a case to some grounds, where the others would add nothing; the table gives the reason. */
interface Only {
  on: GroundName | readonly GroundName[]
  because: string
}

/** @param id from ids.json, which may have several attempts */
export type Attempt = (
  id: string,
  facts: { tried: string; expected: string } & ({ [Key in keyof Only]?: never } | Only),
  run: (scene: Scene) => Promise<void>,
) => void

/** The cases of an area. Each adds a test per ground that it runs on: {@link groundsFor}. */
export function cases(area: Area, write: (attempt: { rule: Attempt; storage: Attempt }) => void): void {
  const known: readonly string[] = ids[area]
  const attempts: { facts: CaseFacts; grounds: readonly Ground[]; run: (scene: Scene) => Promise<void> }[] =
    []
  const attempt =
    (dependsOn: CaseFacts['on']): Attempt =>
    (id, { tried, expected, on, because }, run) => {
      if (!known.includes(id)) throw new Error(`ids.json lists no ${id} under ${area}`)
      const only = on === undefined ? {} : { only: [on].flat(), because }
      const facts: CaseFacts = { id, tried, expected, on: dependsOn, ...only }
      attempts.push({ facts, grounds: groundsFor(facts), run })
    }
  write({ rule: attempt('the rule'), storage: attempt('storage') })

  for (const ground of grounds) {
    const own = attempts.filter((each) => each.grounds.includes(ground))
    if (own.length > 0) describe(`${area} on ${ground.name}`, () => tryOn(ground, own))
  }

  function tryOn(ground: Ground, own: typeof attempts): void {
    let open: OpenGround
    let stage: ReturnType<typeof setScene>

    beforeAll(async () => {
      if (ground.isHere) open = await ground.open()
    })
    beforeEach(async () => {
      if (ground.isHere) stage = setScene(await open.stores())
    })
    afterEach(() => stage?.end())
    afterAll(() => open?.close())

    for (const { facts, run } of own) {
      const securityCase = { ...facts, ground: ground.name }
      const options = { meta: { securityCase }, skip: !ground.isHere }
      test(`${facts.id} ${facts.tried} · ${ground.name}`, options, () => run(stage.scene))
    }
  }
}

/**
 * Full depth: all. Push: all for what depends on storage, otherwise memory and one database, always the same one. Quick: a
 * database for what depends on storage, otherwise memory.
 */
function groundsFor({ id, tried, on, only }: CaseFacts): readonly Ground[] {
  const allowed = grounds.filter(({ name }) => only === undefined || only.includes(name))
  const dependsOnStorage = on === 'storage'
  if (isFull || (!isQuick && dependsOnStorage)) return allowed
  const memory = allowed.filter(({ name }) => name === 'memory')
  const databases = allowed.filter(({ name }) => name !== 'memory')
  const here = databases.filter(({ isHere }) => isHere)
  const database = sample(`${id} ${tried}`, here.length > 0 ? here : databases)
  if (!isQuick) return [...memory, ...database]
  const [first, second] = dependsOnStorage ? [database, memory] : [memory, database]
  return first.length > 0 ? first : second
}
