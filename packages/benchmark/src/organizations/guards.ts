import { type Child, startChild } from '../child.js'
import { publicUrl } from '../people.js'
import { connect } from '../requests/connection.js'
import { createPlace } from '../requests/place.js'
import type { GuardServer, MemberClient } from './guard-process.js'

/** Where everything is stored. */
export const engines = ['sqlite', 'postgres'] as const
export type Engine = (typeof engines)[number]

/** What is asked: who am I, and a route of the app for members, by the id and by the slug of their organization. */
export const questions = ['me', 'id', 'slug'] as const
export type Question = (typeof questions)[number]

/** Microseconds of the server's CPU for each request, one number per round. */
export type Guards = Record<Question, number[]>

const script = new URL('guard-process.js', import.meta.url)
const clients = 32
/** Requests of one question in a round: enough that a collection of garbage in one of them hardly counts. */
const perRound = 3200

/**
 * Asks one server all questions in turn, round by round, in the opposite order in every other one. A first round, which compiles the
 * code, doesn't count.
 * @param parent where a database of SQLite is
 */
export async function measureGuards(
  engine: Engine,
  rounds: number,
  signal: AbortSignal,
  say: (line: string) => void,
  parent?: string,
): Promise<Guards> {
  const { drop, ...place } = await createPlace(`accounts-${engine}`, parent)
  let server: Child<'usage'> | undefined
  const connections: Awaited<ReturnType<typeof connect>>[] = []
  try {
    server = await startChild<'usage'>(script, [engine, JSON.stringify(place), `${clients}`], signal)
    const { port, members } = server.hello as GuardServer
    for (const _ of members) connections.push(await connect(port))
    const guards: Guards = { me: [], id: [], slug: [] }
    for (let round = 0; round <= rounds; round++) {
      say(`${engine}: round ${round} of ${rounds}`)
      for (const question of round % 2 === 0 ? questions : questions.toReversed()) {
        const before = (await server.ask('usage')) as number
        await Promise.all(connections.map((each, at) => askAll(each, question, members[at] as MemberClient)))
        const cpu = ((await server.ask('usage')) as number) - before
        if (round > 0) guards[question].push(cpu / perRound)
      }
    }
    return guards
  } finally {
    for (const connection of connections) connection.close()
    await server?.end()
    await drop()
  }
}

async function askAll(
  { ask }: Awaited<ReturnType<typeof connect>>,
  question: Question,
  { cookie, username, id, slug }: MemberClient,
): Promise<void> {
  const [path, has] =
    question === 'me' ? ['/me/', username] : [`/o/${question === 'id' ? id : slug}/projects`, slug]
  const request = `GET ${path} HTTP/1.1\r\nhost: ${new URL(publicUrl).host}\r\ncookie: ${cookie}\r\n\r\n`
  for (let left = perRound / clients; left > 0; left--) {
    const { status, body } = await ask(request)
    if (status !== 200 || !body.includes(`"${has}"`)) throw new Error(`${path} returned ${status} ${body}`)
  }
}
