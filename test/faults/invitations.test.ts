import { linkPath, otherPassword } from '@fastify-accounts/test-support/app'
import { type Scene, setScene } from '@fastify-accounts/test-support/faults/scene'
import type { Service } from '@fastify-accounts/test-support/faults/service'
import type { InjectOptions } from 'fastify'
import { invitations } from 'fastify-accounts'
import { describe } from 'vitest'
import { type FactorTrial, post, tryFactor } from './factor-trials.js'

/** A member of staff who has invited somebody. */
interface Owner extends Scene {
  email: string
  invited: string
  /** The path of the link. */
  link: string
}

async function setOwner(service: Service): Promise<Owner> {
  const scene = await setScene(service)
  await service.app.accounts.updateUser(scene.user.id, { isStaff: true })
  const email = `${scene.name}-gus@example.org`.toLowerCase()
  const invitation = await service.app.accounts.invite({ email, roles: ['editor'] })
  if (invitation === null) throw new Error('nobody was invited')
  const link = linkPath(await service.post.mail('invitation', email))
  return { ...scene, email, invited: invitation.id, link }
}

const as = ({ cookie }: Owner, request: InjectOptions): InjectOptions => ({ ...request, headers: { cookie } })
const find = ({ service: { stores }, invited }: Owner) => stores.users.findById(invited)
const other = ({ name }: Owner): string => `${name}-other@example.org`.toLowerCase()
const isInvited = async (owner: Owner): Promise<boolean> =>
  (await owner.service.stores.users.findByEmail(other(owner))) !== null
/** From then on; what is left if the deletion fails has no address, and a command deletes it. */
const isWithdrawn = async (owner: Owner): Promise<boolean> => (await find(owner))?.email !== owner.email
/** More than the one write that invited them. */
const isSentAgain = async (owner: Owner): Promise<boolean> => ((await find(owner))?.version ?? 0) > 1

const accepted = { new_password: otherPassword, confirm_password: otherPassword }

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
    request: (owner) => as(owner, post(`/invitations/${owner.invited}/send/`)),
    status: 204,
    isDone: isSentAgain,
    again: [204],
  },
  {
    name: 'a withdrawn invitation',
    request: (owner) => as(owner, { method: 'DELETE', url: `/invitations/${owner.invited}` }),
    status: 204,
    isDone: isWithdrawn,
    again: [404],
  },
  { name: 'the link', request: ({ link }) => ({ url: link }), status: 200 },
  {
    name: 'an accepted invitation',
    request: ({ link, name }) => post(link, { username: `${name}-gus`, ...accepted }),
    status: 200,
    isDone: async (owner) => (await find(owner))?.isVerified === true,
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
    request: ({ invited }) => post('/host/resend-invitation', { id: invited, value: '' }),
    status: 200,
    isDone: isSentAgain,
    again: [200],
  },
  {
    name: 'a withdrawn invitation by the host',
    request: ({ invited }) => post('/host/withdraw-invitation', { id: invited, value: '' }),
    status: 200,
    isDone: isWithdrawn,
    again: [200],
  },
]

describe('invitations when any adapter call fails', () => {
  tryFactor({ options: { features: [invitations()] }, set: setOwner }, trials)
})
