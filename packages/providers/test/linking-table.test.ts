import { goodPassword } from '@fastify-accounts/test-support/app'
import { type DemoApp, demoApp, visitor } from '@fastify-accounts/test-support/providers/service'
import type { MailKind } from 'fastify-accounts'
import { beforeAll, describe, expect, it } from 'vitest'

const plainProof = { since: new Date().toISOString(), suspects: [], epoch: 0 }

/** The account that already uses the address. */
const accounts = {
  'no account': null,
  'a verified account': { isVerified: true },
  'an unverified account': {},
  'an unverified account that was used': { lastLoginAt: new Date() },
  'an account whose address was only confirmed plainly': { isVerified: true, notes: { plainProof } },
  'staff whose address was only confirmed plainly': {
    ...{ isVerified: true, isStaff: true },
    notes: { plainProof },
  },
  'verified staff': { isVerified: true, isStaff: true },
  'unverified staff': { isStaff: true },
  'a verified user with a permission over others': { isVerified: true, roles: ['support'] },
  'an unverified user with a permission over others': { roles: ['support'] },
  'a verified user with a permission of the app': { isVerified: true, roles: ['editor'] },
  'an unverified user with a role of earlier': { roles: ['gone'] },
  'a disabled verified account': { isVerified: true, isActive: false },
  'a disabled unverified account': { isActive: false },
  'an unverified account with a second factor': { factors: ['totp'] },
} as const
type At = keyof typeof accounts

/** The outcome: who is logged in afterwards, the state of the account, and the emails to its address. */
const ends = {
  'signs up': { status: 303, who: 'new', becomes: 'linked', mails: [] },
  links: { status: 303, who: 'owner', becomes: 'linked', mails: ['identity-added'] },
  'replaces it': { status: 303, who: 'new', becomes: 'replaced', mails: ['identity-added'] },
  asks: { status: 303, who: null, becomes: 'unchanged', mails: [] },
  'notifies the owner': { status: 202, who: null, becomes: 'unchanged', mails: ['identity-known'] },
  'asks for verification': { status: 202, who: null, becomes: 'unchanged', mails: ['identity-sign-up'] },
  'notifies nobody': { status: 202, who: null, becomes: 'unchanged', mails: [] },
  refuses: { status: 403, who: null, becomes: 'unchanged', mails: [] },
} as const satisfies Record<string, { mails: MailKind[]; [key: string]: unknown }>
type End = keyof typeof ends

/** The table in docs/providers.md if the provider is authoritative for a verified address… */
const vouched: Record<At, End> = {
  'no account': 'signs up',
  'a verified account': 'links',
  'an unverified account': 'replaces it',
  'an unverified account that was used': 'asks',
  'an account whose address was only confirmed plainly': 'asks',
  'staff whose address was only confirmed plainly': 'notifies the owner',
  'verified staff': 'notifies the owner',
  'unverified staff': 'notifies nobody',
  'a verified user with a permission over others': 'notifies the owner',
  'an unverified user with a permission over others': 'notifies nobody',
  'a verified user with a permission of the app': 'links',
  'an unverified user with a role of earlier': 'replaces it',
  'a disabled verified account': 'notifies nobody',
  'a disabled unverified account': 'notifies nobody',
  'an unverified account with a second factor': 'notifies nobody',
}
/** … and if it isn't, or doesn't report the address as verified. */
const mailed: Record<At, End> = {
  ...vouched,
  'no account': 'asks for verification',
  'a verified account': 'notifies the owner',
  'an unverified account': 'asks for verification',
  'a verified user with a permission of the app': 'notifies the owner',
  'an unverified user with a role of earlier': 'asks for verification',
  'an unverified account that was used': 'asks for verification',
  'an account whose address was only confirmed plainly': 'asks for verification',
}

const isLinking = (end: End): boolean => ['links', 'replaces it', 'asks'].includes(end)

const providers = [
  { verified: true, authoritative: true, table: vouched },
  { verified: true, authoritative: false, table: mailed },
  { verified: false, authoritative: true, table: mailed },
  { verified: false, authoritative: false, table: mailed },
]
const sites = [true, false].flatMap((isOpen) => providers.map((each) => ({ ...each, isOpen })))
const words = (is: boolean): string => (is ? '' : 'not ')

describe.each(
  sites.map((site) => [
    `${words(site.verified)}verified, ${words(site.authoritative)}authoritative, sign-up ${site.isOpen ? 'open' : 'closed'}`,
    site,
  ]),
)('a new identity, %s', (_, { verified, authoritative, table, isOpen }) => {
  let service: DemoApp
  let cells = 0
  beforeAll(async () => {
    service = await demoApp(
      { ...(authoritative && { authoritativeFor: ['example.org'] }) },
      {
        authorize: { createUser: () => isOpen },
        roles: { support: ['users:read'], editor: ['posts:write'] },
      },
    )
  })

  /** Creates the address's owner, bypassing sign-up. */
  async function open(at: At, username: string, email: string): Promise<string | null> {
    const changes = accounts[at]
    if (changes === null) return null
    const { id } = await service.app.accounts.createUser({ username, email, password: goodPassword })
    const { version = 0 } = (await service.users.findById(id)) ?? {}
    await service.users.update(id, changes, version)
    return id
  }

  const rows = Object.entries(table) as [At, End][]
  it.each(rows)('at the address of %s %s', async (at, promised) => {
    cells += 1
    const [name, email] = [`owner-${cells}`, `cell-${cells}@example.org`]
    const id = await open(at, name, email)
    const before = id === null ? null : await service.users.findById(id)
    const end = isOpen || isLinking(promised) ? promised : 'refuses'
    const { status, who, becomes, mails } = ends[end]

    const browser = visitor(service)
    const claims = { sub: `cell-${cells}`, email, email_verified: verified }
    const response = await browser.logInWith({ ...claims, preferred_username: `new-${cells}` })
    expect([response.statusCode, await browser.who()]).toEqual([
      status,
      who && (who === 'owner' ? name : `new-${cells}`),
    ])
    await service.settle()
    const told = service.mails.filter(({ to }) => to.address === email).map(({ kind }) => kind)
    expect(told).toEqual(mails)

    const key = `oidc:${service.issuer.url}|cell-${cells}`
    const after = await service.users.findByEmail(email)
    if (becomes === 'unchanged') {
      if (id === null && isOpen) {
        // A row that waits for verification; nobody can log in to it.
        expect(after).toMatchObject({ passwordHash: '!', isVerified: false, identityKeys: [] })
      } else expect(after).toEqual(before)
    } else {
      expect(after).toMatchObject({ isVerified: true, identityKeys: [key] })
      expect(after?.passwordHash === before?.passwordHash).toBe(becomes === 'linked' && id !== null)
      expect([after?.id === id, await service.users.findById(`${id}`)]).toEqual(
        end === 'links' ? [true, after] : [false, null],
      )
    }
  })

  it.each(rows)('of another user, at the address of %s, logs them in', async (at) => {
    cells += 1
    const [name, email] = [`owner-${cells}`, `cell-${cells}@example.org`]
    const id = await open(at, name, email)
    const before = id === null ? null : await service.users.findById(id)
    const holder = { username: `holder-${cells}`, password: goodPassword }
    await service.app.accounts.createUser(holder)
    const browser = visitor(service)
    await browser.logIn(holder.username)
    await browser.link({ sub: `cell-${cells}` })
    const elsewhere = visitor(service)
    const response = await elsewhere.logInWith({ sub: `cell-${cells}`, email, email_verified: verified })
    expect([response.statusCode, await elsewhere.who()]).toEqual([303, holder.username])
    await service.settle()
    expect(service.mails.filter(({ to }) => to.address === email)).toEqual([])
    expect(await service.users.findByEmail(email)).toEqual(before)
  })
})

describe('an identity without a valid address', () => {
  it.each([undefined, null, '', 'ada', 5, 'ada@example.org, eve@example.org'])(
    'such as %j, is treated as having none',
    async (email) => {
      const service = await demoApp({ authoritativeFor: true })
      const browser = visitor(service)
      const claims = { sub: 'x', email, email_verified: true, preferred_username: 'grace' }
      expect((await browser.logInWith(claims)).statusCode).toBe(303)
      expect((await browser.send('GET', '/me/')).json()).toMatchObject({ username: 'grace', email: null })
      const strict = await demoApp({ authoritativeFor: true }, { requireEmailConfirmation: true })
      const refused = await visitor(strict).logInWith(claims)
      expect([refused.statusCode, refused.json().fields]).toMatchObject([400, [{ field: 'email' }]])
      await service.settle()
      expect(service.mails).toEqual([])
    },
  )
})
