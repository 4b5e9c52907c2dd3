import { type Stores as GroundStores, grounds } from '../grounds.js'

/** What a service stands on. */
export type Stores = Pick<GroundStores, 'users' | 'sessions' | 'throttle'>

export interface OpenGround extends Stores {
  close(): Promise<void>
}

/** A combination of stores, one of those that every security case is tried on. */
export interface Ground {
  name: (typeof grounds)[number]['name']
  /** With empty stores. */
  open(): Promise<OpenGround>
}

const here: Ground[] = grounds
  .filter(({ isHere }) => isHere)
  .map((ground) => ({
    name: ground.name,
    async open() {
      const { stores, close } = await ground.open()
      const { users, ...rest } = await stores()
      // Many services stand on one database, and each of their mails is waited for at the service that posted it; the
      // outbox has tests of its own in packages/kysely, and its faults in packages/accounts/test/postman.test.ts.
      return { ...rest, users: { ...users, outbox: undefined }, close }
    },
  }))

const [inMemory, ...others] = here
if (inMemory?.name !== 'memory') throw new Error('the first ground is not the memory')

export const memory: Ground = inMemory
/** Those whose services answer here. */
export const databases: readonly Ground[] = others
