import { startAuthentication, startRegistration, WebAuthnAbortService } from '@simplewebauthn/browser'
import { AccountsClientError } from './error.js'
import type { CallOptions, ClientOptions } from './exchange.js'
import { requestsTo } from './request.js'
import type { Result } from './result.js'
import type {
  AnyFields,
  Detail,
  Link,
  NewOwner,
  NewUser,
  OwnUser,
  RemovedFactors,
  Verification,
} from './wire.js'

/** A passkey of the logged-in user. */
export interface Passkey {
  /** For `renamePasskey` and `removePasskey`. */
  id: string
  /** The id that the browser knows it by. */
  credential_id: string
  name: string
  /** `login`: a way to log in. `factor`: only together with another one. */
  use: 'login' | 'factor'
  created_at: string
  last_used_at: string | null
  /** Whether it is synced to its owner's other devices. */
  synced: boolean
}

/** The fields of a new user who has no password. */
export type NewPasskeyUser<Fields extends AnyFields = object> = Omit<
  NewUser<Fields>,
  'password' | 'confirm_password'
>

/** Passkeys in the browser: each method gets the instructions for the browser from the service and returns the result to it. */
export interface PasskeysClient<Fields extends AnyFields = object, SignUp extends AnyFields = object> {
  /**
   * Creates a passkey and an account with it. 201: the user is logged in. 202, with `requireEmailConfirmation`: a link to
   * confirm the address was emailed.
   */
  signUpWithPasskey(
    user: NewPasskeyUser<Fields & SignUp>,
    call?: CallOptions,
  ): Promise<Result<OwnUser<Fields>, 201> | Result<Detail, 202>>
  /**
   * Logs in with a passkey for this site.
   * @param options.autofill waits until the user chooses one from the suggestions of a field with
   * `autocomplete="username webauthn"`; a later call ends the wait. Default: the browser prompts at once.
   * @param options.remember whether the cookie outlives the browser. Default: `false`.
   */
  logInWithPasskey(
    options?: { autofill?: boolean; remember?: boolean },
    call?: CallOptions,
  ): Promise<Result<OwnUser<Fields>, 200>>
  /**
   * Completes a login after ACCOUNTS_SECOND_FACTOR_REQUIRED with `passkey` among its `factors`.
   * @param options.remember_device whether this device may skip the second factor next time. Default: `false`.
   */
  logInWithSecondFactor(
    options?: { remember_device?: boolean },
    call?: CallOptions,
  ): Promise<Result<OwnUser<Fields>, 200>>
  /** Re-authenticates the logged-in user with a passkey, after ACCOUNTS_CONFIRMATION_REQUIRED. */
  confirm(call?: CallOptions): Promise<Result<undefined, 204>>
  /** Verifies the address of a new account by the link in the email, and shows with its passkey that its maker does so. */
  verifyUserWithPasskey(link: Link, call?: CallOptions): Promise<Result<Verification, 200>>
  /** The same for a link to /signup/v/. */
  verifySignupWithPasskey(link: Link, call?: CallOptions): Promise<Result<Verification, 200>>
  /** Creates a passkey and accepts an invitation with it instead of a password. Nobody is logged in after that. */
  acceptInvitationWithPasskey(
    link: Link,
    choice?: Pick<NewOwner, 'username' | 'profile'>,
    call?: CallOptions,
  ): Promise<Result<Detail, 200>>
  /**
   * Creates a passkey for the logged-in user. Requires recent re-authentication.
   * @param options.name default: the browser and the system
   * @param options.use `factor`: accepts a security key without a PIN, which never logs in alone. Default: `login`.
   */
  addPasskey(
    options?: { name?: string; use?: Passkey['use'] },
    call?: CallOptions,
  ): Promise<Result<Passkey, 201>>
  /** GET /passkeys/ */
  listPasskeys(
    call?: CallOptions,
  ): Promise<Result<{ results: Passkey[]; removed: RemovedFactors | null }, 200>>
  /** PATCH /passkeys/{id} */
  renamePasskey(id: string, name: string, call?: CallOptions): Promise<Result<Passkey, 200>>
  /** DELETE /passkeys/{id}, and makes the browser forget it if supported. */
  removePasskey(
    passkey: Pick<Passkey, 'id' | 'credential_id'>,
    call?: CallOptions,
  ): Promise<Result<undefined, 204>>
}

/** A client for the passkeys of one service, through @simplewebauthn/browser. */
export function createPasskeysClient<Fields extends AnyFields = object, SignUp extends AnyFields = object>(
  options: ClientOptions = {},
): PasskeysClient<Fields, SignUp> {
  const auth = requestsTo(options, options.authPrefix)
  const users = requestsTo(options, options.usersPrefix)
  const loginOptions = (call?: CallOptions) =>
    auth<AuthenticationOptions, 200>('POST', 'login-passkey-options /login/passkey/options/', call, {
      use: 'login',
    })

  return {
    signUpWithPasskey: (user, call) =>
      between(
        users<RegistrationOptions, 200>(
          'POST',
          'signup-passkey-options /signup/passkey/options/',
          call,
          user,
        ),
        register,
        (response) =>
          users('POST', 'signup-passkey /signup/passkey/', call, { ...user, response }) as Promise<
            Result<OwnUser<Fields>, 201> | Result<Detail, 202>
          >,
        call,
      ),
    logInWithPasskey: ({ autofill = false, remember = false } = {}, call) =>
      between(
        loginOptions(call),
        (optionsJSON) => startAuthentication({ optionsJSON, useBrowserAutofill: autofill }),
        (response) =>
          auth<OwnUser<Fields>, 200>('POST', 'login-passkey /login/passkey/', call, { response, remember }),
        call,
      ),
    logInWithSecondFactor: ({ remember_device } = {}, call) =>
      between(
        auth<AuthenticationOptions, 200>('POST', 'login-passkey-options /login/passkey/options/', call, {
          use: 'factor',
        }),
        use,
        (response) =>
          auth<OwnUser<Fields>, 200>('POST', 'login-second-factor /login/second-factor/', call, {
            response,
            ...(remember_device && { remember_device }),
          }),
        call,
      ),
    confirm: (call) =>
      between(
        auth<AuthenticationOptions, 200>('POST', 'confirm-passkey-options /confirm/passkey/options/', call),
        use,
        (response) => auth<undefined, 204>('POST', 'confirm /confirm/', call, { response }),
        call,
      ),
    verifyUserWithPasskey: (link, call) =>
      between(
        loginOptions(call),
        use,
        (response) =>
          users<Verification, 200>(
            'POST',
            'user-verify-passkey /user/v/{uid64}/{token}/passkey/',
            call,
            { response },
            link,
          ),
        call,
      ),
    verifySignupWithPasskey: (link, call) =>
      between(
        loginOptions(call),
        use,
        (response) =>
          users<Verification, 200>(
            'POST',
            'signup-verify-passkey /signup/v/{uid64}/{token}/passkey/',
            call,
            { response },
            link,
          ),
        call,
      ),
    acceptInvitationWithPasskey: (link, choice = {}, call) =>
      between(
        users<RegistrationOptions, 200>(
          'POST',
          'invitation-passkey-options /invitation/{uid64}/{token}/passkey/options/',
          call,
          choice,
          link,
        ),
        register,
        (response) =>
          users<Detail, 200>(
            'POST',
            'invitation-passkey /invitation/{uid64}/{token}/passkey/',
            call,
            { ...choice, response },
            link,
          ),
        call,
      ),
    addPasskey: ({ name, use = 'login' } = {}, call) =>
      between(
        auth<RegistrationOptions, 200>('POST', 'passkey-options /passkeys/options/', call, { use }),
        register,
        (response) =>
          auth<Passkey, 201>('POST', 'passkeys /passkeys/', call, { response, ...(name && { name }) }),
        call,
      ),
    listPasskeys: (call) => auth('GET', 'passkeys /passkeys/', call),
    renamePasskey: (id, name, call) => auth('PATCH', 'passkey /passkeys/{id}', call, { name }, { id }),
    async removePasskey({ id, credential_id }, call) {
      const result = await auth<undefined, 204>('DELETE', 'passkey /passkeys/{id}', call, undefined, { id })
      if (result.ok) {
        await forget(credential_id, () => loginOptions(call))
      }
      return result
    },
  }
}

type RegistrationOptions = Parameters<typeof startRegistration>[0]['optionsJSON']
type AuthenticationOptions = Parameters<typeof startAuthentication>[0]['optionsJSON']

const register = (optionsJSON: RegistrationOptions) => startRegistration({ optionsJSON })
const use = (optionsJSON: AuthenticationOptions) => startAuthentication({ optionsJSON })

/** Runs the browser's part between two requests. */
async function between<Options, Response, Outcome extends Result<unknown>>(
  first: Promise<Result<Options>>,
  act: (optionsJSON: Options) => Promise<Response>,
  last: (response: Response) => Promise<Outcome>,
  { signal }: CallOptions = {},
): Promise<Outcome> {
  const challenge = await first
  if (!challenge.ok) return challenge as Outcome
  let response: Response
  const cancel = () => WebAuthnAbortService.cancelCeremony()
  signal?.addEventListener('abort', cancel)
  try {
    response = await act(challenge.data)
  } catch (cause) {
    signal?.throwIfAborted()
    const error = new AccountsClientError('PASSKEY_FAILED', 'No passkey was used.', { cause })
    return { ok: false, error } as Outcome
  } finally {
    signal?.removeEventListener('abort', cancel)
  }
  return last(response)
}

/** Browsers that support it remove it from their suggestions (WebAuthn L3 section 5.1.10). */
async function forget(
  credentialId: string,
  options: () => Promise<Result<AuthenticationOptions>>,
): Promise<void> {
  const { PublicKeyCredential: browser } = globalThis as {
    PublicKeyCredential?: {
      signalUnknownCredential?(unknown: { rpId: string; credentialId: string }): Promise<void>
    }
  }
  if (browser?.signalUnknownCredential === undefined) return
  const result = await options()
  const rpId = result.ok ? result.data.rpId : undefined
  // The passkey is gone: failing to notify the browser is not an error.
  if (rpId !== undefined) await browser.signalUnknownCredential({ rpId, credentialId }).catch(() => {})
}
