import { createHash } from 'node:crypto'
import { fill } from '../databases.js'
import { emailOf, idOf, joinedAt, usernameOf, userRow } from '../people.js'
import { type EngineName, type OpenTables, openTables, sessionId } from './engines.js'
import { draws, type Growth, measureGrowth, type Side } from './measure.js'

/** As long as a real hash, and as hard to compress. */
const passwordHash = createHash('sha512').update('hash').digest('hex')
/** Users per page. */
const limit = 100

/** The operations that read, on the smallest of the sizes and on the largest, side by side. */
export async function measureUsers(
  engine: EngineName,
  [small = 0, large = 0]: readonly number[],
  rounds: number,
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<Growth[]> {
  const opened: OpenTables[] = []
  try {
    const sides: Side[][] = []
    for (const size of [small, large]) {
      say(`${engine}: making ${size} users and sessions`)
      const tables = await openTables(engine)
      opened.push(tables)
      await fillUsers(tables, size)
      sides.push(readsOf(tables, size) as Side[])
    }
    const [smaller = [], larger = []] = sides
    const figures: Growth[] = []
    for (const [at, side] of smaller.entries()) {
      say(`${engine}: ${side.name}`)
      figures.push(await measureGrowth(side, larger[at] as Side, rounds, signal))
    }
    return figures
  } finally {
    for (const { close } of opened) await close()
  }
}

/** Users with one session each. */
export async function fillUsers({ db, settle }: OpenTables, size: number): Promise<void> {
  const fields = JSON.stringify({ locale: 'en', theme: 'dark' })
  await fill(db, 'accounts_users', size, (at) => ({ ...userRow(at, passwordHash), fields }))
  const now = Date.now()
  await fill(db, 'accounts_sessions', size, (at) => ({
    id: sessionId(at),
    user_id: idOf(at),
    epoch: 0,
    created_at: now,
    last_seen_at: now,
    expires_at: now + 86_400_000,
  }))
  await settle()
}

function readsOf({ userStore, sessionStore }: OpenTables, size: number) {
  const draw = draws(size)
  const page = (name: string, last?: number): Side<undefined> => ({
    name: `${name} page of ${limit}`,
    input: () => undefined,
    async work() {
      const after = last === undefined ? undefined : positionOf(last)
      return (await userStore.list?.({ limit, after }))?.length === limit
    },
  })
  const lookUp = (
    name: string,
    keyOf: (at: number) => string,
    find: (key: string) => Promise<unknown>,
  ): Side<string> => ({
    name,
    input: () => keyOf(draw()),
    work: find,
  })
  /** A number with as many digits as the last one, so no other user's name begins with this one's. */
  const long = (at: number) => Math.max(at, Math.ceil(size / 10))
  const search = (
    name: string,
    keyOf: (at: number) => string,
    by: 'usernameKey' | 'emailKey',
  ): Side<string> => ({
    name,
    input: () => keyOf(draw()),
    async work(start) {
      const prefix = by === 'usernameKey' ? { usernameKey: start } : { emailKey: start }
      const found = (await userStore.list?.({ limit: 51, prefix })) ?? []
      return name.includes('nobody') ? found.length === 0 : found.length > 0
    },
  })
  return [
    search('a search of a whole name', (at) => usernameOf(long(at)), 'usernameKey'),
    search('a search of a whole address', (at) => emailOf(long(at)), 'emailKey'),
    search('a search that ten match', (at) => usernameOf(long(at)).slice(0, -1), 'usernameKey'),
    search('a search that everybody matches', () => 'user', 'usernameKey'),
    search('a search of addresses that everybody matches', () => 'user', 'emailKey'),
    search('a search that nobody matches', (at) => `!${at}`, 'usernameKey'),
    page('first'),
    page('middle', Math.floor(size / 2)),
    page('last', size - limit - 1),
    lookUp('by id', idOf, (id) => userStore.findById(id)),
    lookUp('by username', usernameOf, (name) => userStore.findByUsername(name)),
    lookUp("one's session", sessionId, (id) => sessionStore.find(id)),
  ]
}

function positionOf(at: number) {
  return { createdAt: new Date(joinedAt(at)), id: idOf(at), usernameKey: usernameOf(at) }
}
