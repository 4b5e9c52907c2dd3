import { goodPassword, linkPath, otherPassword } from '@fastify-accounts/test-support/app'
import { watch } from '@fastify-accounts/test-support/faults/probe'
import { type Scene, setScene } from '@fastify-accounts/test-support/faults/scene'
import { type Service, startService } from '@fastify-accounts/test-support/faults/service'
import type { InjectOptions } from 'fastify'
import { invitations } from 'fastify-accounts'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type FactorTrial, post, tryFactor } from './factor-trials.js'
import { type FaultName, saboteur } from './faults.js'
import { storesWithOutbox } from './notices.js'

/** An invitation by the app's own code. */
interface Invited {
  id: string
  email: string
  /** The path of the link. */
  link: string
}

/** A member of staff, and what the app's own code has invited. */
interface Owner extends Scene {
  /** Nobody has an account there. */
  free: Invited
  /** Somebody has signed up there, and nobody has proven it. */
  unproven: Invited
  /** It is their own. */
  own: Invited
}

async function setOwner(service: Service): Promise<Owner> {
  const scene = await setScene(service)
  const { accounts } = service.app
  await accounts.updateUser(scene.user.id, { isStaff: true })
  const [free, unproven] = [`${scene.name}-gus@example.org`, `${scene.name}-una@example.org`]
  await accounts.createUser({ username: `${scene.name}-una`, email: unproven, password: goodPassword })
  return {
    ...scene,
    free: await invite(service, free),
    unproven: await invite(service, unproven),
    own: await invite(service, scene.email),
  }
}

async function invite({ app, post }: Service, email: string): Promise<Invited> {
  const isKnown = (await app.accounts.findUser({ email }))?.isVerified === true
  const { id } = await app.accounts.invite({ email, roles: ['editor'] })
  const link = linkPath(await post.mail(isKnown ? 'invitation-known' : 'invitation', email))
  return { id, email, link }
}

const as = ({ cookie }: Owner, request: InjectOptions): InjectOptions => ({ ...request, headers: { cookie } })
const rowOf = ({ service: { stores } }: Scene, { id }: Invited) => stores.invitations.find(id)
const other = ({ name }: Owner): string => `${name}-other@example.org`
const isInvited = async (owner: Owner): Promise<boolean> => {
  const rows = await owner.service.stores.invitations.listByEmail(other(owner))
  expect(rows.length).toBeLessThan(2)
  return rows.length === 1
}
const isWithdrawn = async (owner: Owner): Promise<boolean> => (await rowOf(owner, owner.free)) === null
const isSentAgain = async (owner: Owner): Promise<boolean> =>
  ((await rowOf(owner, owner.free))?.sends ?? 0) > 1

/** Given once, with a note of it; otherwise not at all, and still there. */
async function isAccepted(scene: Scene, invited: Invited): Promise<boolean> {
  const user = await scene.service.stores.users.findByEmail(invited.email)
  const row = await rowOf(scene, invited)
  const isNoted = Object.hasOwn(Object(user?.notes.accepted), invited.id)
  expect(user?.roles ?? []).toEqual(isNoted ? ['editor'] : [])
  if (!isNoted) expect(row).not.toBeNull()
  else {
    expect(user?.isVerified).toBe(true)
    // Nobody can withdraw what has been given.
    expect(row?.acceptingUntil).not.toBeNull()
  }
  return isNoted
}

const chosen = { new_password: otherPassword, confirm_password: otherPassword }

const trials: FactorTrial<Owner>[] = [
  {
    name: 'an invitation',
    request: (owner) => as(owner, post('/invitations/', { email: other(owner), roles: ['editor'] })),
    status: 202,
    isDone: isInvited,
    again: [202],
  },
  { name: 'the invitations', request: (owner) => as(owner, { url: '/invitations/' }), status: 200 },
  {
    name: 'an invitation sent again',
    request: (owner) => as(owner, post(`/invitations/${owner.free.id}/send/`)),
    status: 204,
    isDone: isSentAgain,
    again: [204],
  },
  {
    name: 'a withdrawn invitation',
    request: (owner) => as(owner, { method: 'DELETE', url: `/invitations/${owner.free.id}` }),
    status: 204,
    isDone: isWithdrawn,
    again: [404],
  },
  { name: 'the link', request: ({ free }) => ({ url: free.link }), status: 200 },
  {
    name: 'an invitation accepted with a password',
    request: ({ free, name }) => post(free.link, { username: `${name}-gus`, ...chosen }),
    status: 200,
    isDone: (owner) => isAccepted(owner, owner.free),
    // Until the invitation is gone, the link asks for a login.
    again: [400, 401],
  },
  {
    name: 'an invitation accepted where somebody has signed up',
    request: ({ unproven, name }) => post(unproven.link, { username: `${name}-owner`, ...chosen }),
    status: 200,
    isDone: (owner) => isAccepted(owner, owner.unproven),
    again: [400, 401],
  },
  {
    name: 'an invitation accepted logged in',
    request: (owner) => as(owner, post(owner.own.link, {})),
    status: 200,
    isDone: (owner) => isAccepted(owner, owner.own),
    again: [200, 400],
  },
  {
    name: 'an invitation that applies once the address is proven',
    async request({ unproven, askForLink }) {
      return post(await askForLink('/forgot/', 'reset-password', unproven.email), chosen)
    },
    status: 204,
    isDone: (owner) => isAccepted(owner, owner.unproven),
    again: [400],
  },
  {
    name: 'an invitation by the host',
    request: (owner) => post('/host/invite', { id: '', value: other(owner) }),
    status: 200,
    isDone: isInvited,
    again: [200],
  },
  {
    name: 'the invitations by the host',
    request: () => post('/host/list-invitations', { id: '', value: '' }),
    status: 200,
  },
  {
    name: 'an invitation sent again by the host',
    request: ({ free }) => post('/host/resend-invitation', { id: free.id, value: '' }),
    status: 200,
    isDone: isSentAgain,
    again: [200],
  },
  {
    name: 'a withdrawn invitation by the host',
    request: ({ free }) => post('/host/withdraw-invitation', { id: free.id, value: '' }),
    status: 200,
    isDone: isWithdrawn,
    again: [200],
  },
]

describe('invitations when any adapter call fails', () => {
  tryFactor({ options: { features: [invitations()] }, set: setOwner }, trials)
})

describe('an invitation whose acceptance may still take effect', () => {
  afterEach(() => void vi.useRealTimers())

  test.each<[FaultName, site: string, isGiven: boolean]>([
    ['rejects', 'users.create', false],
    ['applied, result lost', 'users.create', true],
    ['rejects', 'invitations.delete', true],
  ])('is neither open nor gone until then: %s at %s', async (fault, method, isGiven) => {
    const adapterTimeout = 5000
    vi.useFakeTimers({ toFake: ['Date'] })
    const service = await startService(storesWithOutbox(), { features: [invitations()], adapterTimeout })
    const owner = await setOwner(service)
    const { free, name } = owner
    const trouble = saboteur({ method, nth: 1 }, fault)
    const accept = () => service.send(post(free.link, { username: `${name}-gus`, ...chosen }))
    const response = await watch(trouble.onCall, accept)
    await trouble.end()
    expect(response.statusCode).toBe(method === 'invitations.delete' ? 200 : 503)
    expect(await isAccepted(owner, free)).toBe(isGiven)
    const withdraw = async () => {
      const { statusCode, body } = await service.send(
        as(owner, { method: 'DELETE', url: `/invitations/${free.id}` }),
      )
      return [statusCode, body && JSON.parse(body).reason]
    }
    expect(await withdraw()).toEqual([409, 'being_accepted'])
    expect(await rowOf(owner, free)).not.toBeNull()
    vi.setSystemTime(Date.now() + 3 * adapterTimeout)
    expect(await withdraw()).toEqual([409, 'being_accepted'])
    vi.setSystemTime(Date.now() + 1)
    if (isGiven) {
      expect(await withdraw()).toEqual([409, 'already_accepted'])
      expect((await accept()).statusCode).toBe(400)
    } else expect(await withdraw()).toEqual([204, ''])
    expect(await rowOf(owner, free)).toBeNull()
    await service.app.close()
  })
})
