import { AccountsError, type FieldError } from 'fastify-accounts'
import {
  accountUser,
  type Client,
  detailReply,
  type FeatureCore,
  fieldError,
  finishLogin,
  invalidInput,
  isChecked,
  type MakePage,
  ownUser,
  ownUserReply,
  type Route,
  route,
  shownName,
} from 'fastify-accounts/features'
import { type Claimed, keepAccount, leaveAccount, readClaim } from './claim-account.js'
import type { ProviderDeps, Services } from './deps.js'
import { showReady } from './end-app-flow.js'
import { labelOf } from './hand-over.js'
import { claimPage } from './pages.js'
import { loginErrors } from './route-errors.js'
import { claimBody, claimReply } from './schemas.js'

/** The person who has proved the address of an account that somebody has used says whether that was them. */
export function claimRoutes({ options }: FeatureCore, services: Services): Route[] {
  const { claims } = services
  const shared = {
    name: 'claim-account',
    action: 'claim-account',
    path: '/login/claim/',
    access: 'anyone',
    linkPage: true,
  } as const
  const claimed = async (core: FeatureCore, client: Client): Promise<Claimed> => {
    const found = await readClaim(core, claims.read(client))
    client.note({ user: found.owner })
    return found
  }
  const pageFor =
    ({ claim, owner }: Claimed, faults: readonly FieldError[] = []): MakePage =>
    (theme) =>
      claimPage(theme, {
        provider: labelOf(services, claim.identity),
        email: claim.email,
        username: owner && shownName(options, owner),
        hasPassword: owner !== null && accountUser(owner).hasPassword,
        faults,
      })
  return [
    route({
      ...shared,
      method: 'GET',
      operation: {
        id: 'showClaim',
        summary: 'Ask whose the account at an address is that a provider has just proved',
        errors: ['ACCOUNTS_LOGIN_EXPIRED'],
      },
      budget: 'loginWithCallback',
      schema: { response: { 200: claimReply } },
      async handle({ client }, core) {
        const found = await claimed(core, client)
        const { claim, owner } = found
        if (owner === null) throw new AccountsError('ACCOUNTS_LOGIN_EXPIRED')
        const { createdAt, hasPassword } = accountUser(owner)
        return {
          page: pageFor(found),
          body: {
            provider: claim.identity.provider,
            email: claim.email,
            created_at: createdAt.toISOString(),
            has_password: hasPassword,
          },
        }
      },
    }),
    route({
      ...shared,
      method: 'POST',
      operation: {
        id: 'claimAccount',
        summary: 'Keep that account, with its password, or delete it and start afresh',
        asks: ['signUp', 'logIn'],
        errors: [...(['ACCOUNTS_LOGIN_EXPIRED', 'ACCOUNTS_IDENTITY_TAKEN'] as const), ...loginErrors],
        redirects: true,
        setsSession: true,
      },
      budget: 'login',
      schema: {
        body: claimBody,
        response: { 200: ownUserReply(options), 202: detailReply },
      },
      async handle({ body: { password, start_afresh }, client }, core) {
        const startsAfresh = isChecked(start_afresh)
        if (startsAfresh && password !== undefined) throw invalidInput(fieldError('password', 'unknown'))
        const found = await claimed(core, client)
        const deps = { ...services, ...core }
        const proof = await (startsAfresh
          ? leaveAccount(deps, client, found)
          : keep(deps, client, found, password))
        claims.drop(client)
        const { remember, next, app, identity } = found.claim
        if (app !== undefined) return showReady(deps, client, proof.user, identity)
        return { body: ownUser(await finishLogin(deps, client, proof, remember)), redirect: next }
      },
      async formAgain({ client }, faults, core) {
        return pageFor(await claimed(core, client), faults)
      },
    }),
  ]
}

function keep(
  deps: ProviderDeps,
  client: Client,
  found: Claimed,
  password: string | undefined,
): ReturnType<typeof keepAccount> {
  if (password === undefined) throw invalidInput(fieldError('password', 'required'))
  const device = found.owner && deps.device.read(client, found.owner, 'password')
  return keepAccount(deps, client, found, password, device)
}
