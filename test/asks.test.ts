import { passkeys } from '@fastify-accounts/passkeys'
import { providers } from '@fastify-accounts/providers'
import { mountedOperations } from '@fastify-accounts/test-support/operations'
import { apiKeys, type BeforeRules, invitations, secondFactor, tokens } from 'fastify-accounts'
import { expect, test } from 'vitest'

const demo = {
  name: 'demo',
  issuer: 'https://id.example',
  clientId: 'app',
  clientSecret: 'secret',
  appAudiences: ['ios'],
}

/**
 * Which operations ask which rule of the app. Every way to an account, to a session and to another address is here, and
 * its own tests show that the rule is asked.
 */
const asks: Record<keyof BeforeRules, readonly string[]> = {
  signUp: [
    ...['createUser', 'signUp', 'signUpWithPasskey'],
    ...['logInWithCallback', 'logInWithToken'],
    // The first proof of an address hands the account over.
    ...[
      'resetPassword',
      'resetPasswordWithCode',
      'verifyUser',
      'verifySignup',
      'logInWithCode',
      'logInWithCodeLink',
    ],
    'acceptInvitation',
  ],
  logIn: [
    ...['logIn', 'logInWithSecondFactor', 'logInWithCode', 'logInWithCodeLink'],
    ...['logInWithPasskey', 'signUpWithPasskey'],
    ...['logInWithCallback', 'logInWithToken', 'logInWithAppCode', 'confirmIdentity', 'claimAccount'],
  ],
  changeEmail: ['changeEmail', 'updateUser'],
}

/** By their names, these neither create nor hand over an account, start no session and set no address. */
const harmless = /^(list|show|check|remove|rename|renew|delete|end|request|resend|revoke)[A-Z]/

/** Neither do these. An address was asked about when its link was requested; undoing a change restores one. */
const others: readonly string[] = [
  ...['logOut', 'changePassword', 'submitChangePasswordForm', 'updateMe', 'changeFactors', 'refreshTokens'],
  ...['confirmEmailChange', 'undoEmailChange', 'keepEmailChange', 'releaseEmail', 'reportLogin'],
  ...['startTotp', 'confirmTotp', 'resetUserFactors', 'addPasskeyOptions', 'addPasskey'],
  ...['confirm', 'confirmOptions', 'confirmWith', 'confirmWithToken', 'addIdentity', 'addIdentityWithToken'],
  // The first step of a sign-up or login.
  ...[
    'signUpWithPasskeyOptions',
    'logInWithPasskeyOptions',
    'logInWith',
    'startAppLogin',
    'logInWithFormPost',
  ],
  // It keeps everything, and gives nothing but what was promised.
  ...['verifyUserByGet', 'verifySignupByGet'],
  // Asked when it is accepted.
  ...['invite', 'withdrawInvitation'],
  // Nobody logs in to a service account.
  ...['createApiKey', 'createService', 'createServiceApiKey'],
]

test('every operation asks the rules that it must, or is known to need none', async () => {
  const features = [
    ...[secondFactor(), tokens(), apiKeys({ scopes: ['orders:read'] }), invitations(), passkeys()],
    providers([demo], { appRedirectUris: ['org.example.app:/login'] }),
  ]
  const all = new Set<string>()
  for (const name of ['signUp', 'logIn', 'changeEmail'] as const) {
    const before = { [name]: () => undefined }
    const { app, routes, refused } = await mountedOperations({ features, before })
    await app.close()
    expect([name, [...refused].sort()]).toEqual([name, asks[name].toSorted()])
    for (const each of routes.keys()) all.add(each)
  }
  const known = [...Object.values(asks).flat(), ...others]
  expect([...all].filter((name) => !harmless.test(name) && !known.includes(name))).toEqual([])
  expect(known.filter((name) => !all.has(name))).toEqual([])
})
