import { type Stores as GroundStores, grounds } from '../grounds.js'

/** The stores of a service. */
export type Stores = Pick<GroundStores, 'users' | 'sessions' | 'throttle'>

export interface OpenGround extends Stores {
  close(): Promise<void>
}

/** A combination of stores, one of those that every security case runs on. */
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
      // Many services share one database, and tests wait for each email at the service that posted it, so there is no
      // outbox. It is tested in packages/kysely, and its faults in packages/accounts/test/postman.test.ts.
      return { ...rest, users: { ...users, outbox: undefined }, close }
    },
  }))

const [inMemory, ...others] = here
if (inMemory?.name !== 'memory') throw new Error('the first ground is not memory')

export const memory: Ground = inMemory
/** The other grounds whose services respond here. */
export const databases: readonly Ground[] = others
