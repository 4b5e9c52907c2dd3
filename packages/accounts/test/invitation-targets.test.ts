import { linkPath, otherPassword, type TestApp, testApp } from '@fastify-accounts/test-support/app'
import { describe, expect, test } from 'vitest'
import {
  type Feature,
  type InvitationTarget,
  invitationMail,
  type MountCore,
  storeInvitation,
} from '../src/features/index.js'
import { inviteeOf } from '../src/features/invitations/invited/invitee.js'
import { AccountsError, type AccountsOptions, type Invitation, invitations } from '../src/index.js'

const email = 'gus@example.org'
const choice = { username: 'gus', new_password: otherPassword, confirm_password: otherPassword }
const text = {
  subject: 'Join {label}',
  preheader: '',
  before: ['Join {label}'],
  button: 'Join',
  reason: 'So',
}
/** What account invitations would give, and must not reach the account. */
const gives = { roles: ['editor'], fields: { city: 'Ulm' }, ship: 'Argo' }

interface Crew extends Feature {
  core(): MountCore
  accepted: string[]
}

/** A feature that invites to ships, as one in another package would. */
function crew(more: Partial<InvitationTarget> & { name?: string } = {}): Crew {
  let mounted: MountCore | undefined
  const accepted: string[] = []
  const { name = 'crew', ...own } = more
  const kind = `${name}-invitation`
  return {
    name,
    texts: { en: { emails: { [kind]: text } } },
    mails: { [kind]: invitationMail },
    invitationTarget(core) {
      mounted = core
      return {
        word: 'ship',
        mails: { stranger: kind, owner: kind } as never,
        isGood: async () => true,
        describe: async () => ({ name: 'Argo', roles: ['sailor'] }),
        accept: async (_invitation, user) => void accepted.push(user.id),
        ...own,
      }
    },
    accepted,
    core: () => mounted as MountCore,
  }
}

/** The feature's texts are English alone. */
const english = { languages: { offered: ['en'] } }
const roles = { editor: ['posts:write'] } as const
const fields = { type: 'object', properties: { city: { type: 'string' } } } as const

const inviting = (feature: Crew, options: Partial<AccountsOptions> = {}): Promise<TestApp> =>
  testApp({ ...english, roles, users: { fields }, features: [invitations(), feature], ...options })

const invite = (feature: Crew, target = 'accounts:ship:argo'): Promise<Invitation> =>
  storeInvitation(
    feature.core(),
    { target, inviterId: null, email, emailKey: email, gives },
    { lifetime: feature.core().links.lifetimeOf('invitation'), checkRoom: async () => {} },
  )

const linkOf = async ({ mail }: TestApp) => linkPath(await mail('crew-invitation' as never, email))

describe('an invitation to what a feature invites to', () => {
  test('signs somebody up without what it gives, and is then accepted by the feature', async () => {
    const feature = crew()
    const service = await inviting(feature)
    await invite(feature)
    expect(await service.mail('crew-invitation' as never, email)).toMatchObject({ subject: 'Join Argo' })
    const path = await linkOf(service)
    expect((await service.send('GET', path)).json()).toMatchObject({
      gives: { fields: {}, roles: [] },
      to: { kind: 'ship', name: 'Argo', roles: ['sailor'] },
    })
    expect((await service.send('POST', path, choice)).statusCode).toBe(200)
    const gus = await service.users.findByEmail(email)
    expect(gus).toMatchObject({ isVerified: true, roles: [], fields: {}, notes: {} })
    expect(feature.accepted).toEqual([gus?.id])
  })

  test('gives nothing to an account that becomes its owner’s, by the link or another proof', async () => {
    for (const isByLink of [true, false]) {
      const feature = crew()
      const service = await inviting(feature, { requireEmailConfirmation: true })
      await service.app.accounts.createUser({ username: 'mallory', email, password: otherPassword })
      await invite(feature)
      const path = await linkOf(service)
      if (!isByLink) await service.send('POST', '/forgot/', { email })
      const proof = isByLink ? path : linkPath(await service.mail('reset-password', email))
      const { username: _, ...password } = choice
      const body = isByLink ? choice : password
      const used = await service.send('POST', proof, body)
      expect(used.statusCode, used.body).toBe(isByLink ? 200 : 204)
      const owner = await service.users.findByEmail(email)
      expect(owner).toMatchObject({ isVerified: true, roles: [], fields: {} })
      expect(owner?.notes).not.toHaveProperty('accepted')
      expect(feature.accepted).toHaveLength(isByLink ? 1 : 0)
    }
  })

  test('is invalid once the feature says so, or what it is to is gone', async () => {
    for (const own of [
      { isGood: async () => false },
      { describe: async () => null },
    ] as Partial<InvitationTarget>[]) {
      const feature = crew(own)
      const service = await inviting(feature)
      const issued = await linkBefore(feature)
      expect((await service.send('GET', issued)).statusCode).toBe(400)
    }
  })

  test('of another mount, or a word that no feature has, opens nothing', async () => {
    for (const target of ['others', 'others:ship:argo', 'accounts:plane:argo', 'accountsx:ship:argo']) {
      const feature = crew()
      const service = await inviting(feature)
      const issued = await linkBefore(feature, target)
      expect((await service.send('GET', issued)).statusCode, target).toBe(400)
      expect((await service.send('POST', issued, choice)).statusCode, target).toBe(400)
      expect(await service.users.findByEmail(email)).toBeNull()
    }
  })

  test('that the feature refuses leaves the account', async () => {
    const accept = () =>
      Promise.reject(new AccountsError('ACCOUNTS_CONFLICT', { reason: 'changed_meanwhile' }))
    const feature = crew({ accept })
    const service = await inviting(feature)
    await invite(feature)
    expect((await service.send('POST', await linkOf(service), choice)).statusCode).toBe(409)
    expect(await service.users.findByEmail(email)).toMatchObject({ isVerified: true })
  })
})

describe('the start stops with one line', () => {
  test('without invitations()', async () => {
    await expect(testApp({ ...english, features: [crew()] })).rejects.toThrow(
      /^.*crew, whose invitations need invitations\(\)$/,
    )
  })

  test('if two features have one word', async () => {
    const features = [invitations(), crew(), crew({ name: 'fleet' })]
    await expect(testApp({ ...english, features })).rejects.toThrow(
      /^.*fleet, which brings the target of invitations ship, and so does another$/,
    )
  })
})

/** The path of a link to an invitation, whether or not it would be mailed. */
async function linkBefore(feature: Crew, target?: string): Promise<string> {
  const { links } = feature.core()
  const invitation = await invite(feature, target)
  const { uid64, token } = await links.issue('invitation', inviteeOf(invitation), invitation.expiresAt, email)
  return `/invitation/${uid64}/${token}/`
}
