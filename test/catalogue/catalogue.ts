import { isFull, sample } from '@fastify-accounts/test-support/depth'
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

/** What docs/security-cases.md says about a case; scripts/security-table.mjs reads it from vitest's report. */
export interface CaseFacts {
  id: string
  /** The attempt, in a few words. */
  tried: string
  /** What must happen. */
  expected: string
  /** Why it runs on some grounds only. */
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

/**
 * Adds a test per ground that the case runs on. A case may have several attempts.
 * @param id from ids.json
 */
export type Attempt = (
  id: string,
  facts: { tried: string; expected: string } & ({ [Key in keyof Only]?: never } | Only),
  run: (scene: Scene) => Promise<void>,
) => void

/** The cases of an area: at full depth on every ground, at quick depth on one. */
export function cases(area: Area, write: (attempt: Attempt) => void): void {
  const known: readonly string[] = ids[area]
  const attempts: { facts: CaseFacts; on: readonly Ground[]; run: (scene: Scene) => Promise<void> }[] = []
  write((id, { tried, expected, on, because }, run) => {
    if (!known.includes(id)) throw new Error(`ids.json lists no ${id} under ${area}`)
    const facts = { id, tried, expected, ...(because && { because }) }
    attempts.push({ facts, on: groundsFor(`${id} ${tried}`, on), run })
  })

  for (const ground of grounds) {
    const own = attempts.filter(({ on }) => on.includes(ground))
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
 * At quick depth, one ground whose services respond. If a case names its grounds, memory runs as well: it differs from
 * the others there.
 */
function groundsFor(attempt: string, on: Only['on'] | undefined): readonly Ground[] {
  const allowed = on === undefined ? grounds : grounds.filter(({ name }) => [on].flat().includes(name))
  if (isFull) return allowed
  const isAlways = ({ name }: Ground) => on !== undefined && name === 'memory'
  const others = allowed.filter((ground) => !isAlways(ground))
  const here = others.filter(({ isHere }) => isHere)
  return [...allowed.filter(isAlways), ...sample(attempt, here.length > 0 ? here : others)]
}
