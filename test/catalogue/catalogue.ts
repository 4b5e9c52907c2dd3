import { afterAll, afterEach, beforeAll, beforeEach, describe, test } from 'vitest'
import { type GroundName, grounds, type OpenGround } from './grounds.js'
import ids from './ids.json' with { type: 'json' }
import { type Scene, setScene } from './service.js'

export type Area = keyof typeof ids

/** What docs/security-cases.md says of a case; scripts/security-table.mjs finds it in vitest's report. */
export interface CaseFacts {
  id: string
  /** What is tried, in a few words. */
  tried: string
  /** What must happen. */
  expected: string
  /** Why it is tried on some grounds only. */
  because?: string
}

declare module 'vitest' {
  interface TaskMeta {
    securityCase?: CaseFacts & { ground: GroundName }
    securityDecision?: { id: string; tried: string; decision: string }
  }
}

/** Grounds to keep to, where the others could not tell anything else; the reason stands in the table. */
interface Only {
  on: GroundName | readonly GroundName[]
  because: string
}

/**
 * Makes a case a test, once for each ground. A case may have several attempts.
 * @param id of ids.json
 */
export type Attempt = (
  id: string,
  facts: { tried: string; expected: string } & ({ [Key in keyof Only]?: never } | Only),
  run: (scene: Scene) => Promise<void>,
) => void

/** The cases of an area, on every ground. */
export function cases(area: Area, write: (attempt: Attempt) => void): void {
  const known: readonly string[] = ids[area]

  describe.each(grounds)(`${area} on $name`, (ground) => {
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

    write((id, { tried, expected, on, because }, run) => {
      if (!known.includes(id)) throw new Error(`ids.json has no ${id} under ${area}`)
      if (on !== undefined && ![on].flat().includes(ground.name)) return
      const securityCase = { id, tried, expected, ...(because && { because }), ground: ground.name }
      const options = { meta: { securityCase }, skip: !ground.isHere }
      test(`${id} ${tried} · ${ground.name}`, options, () => run(stage.scene))
    })
  })
}
