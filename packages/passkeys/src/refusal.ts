import type { Client } from 'fastify-accounts/features'

/** Why a passkey is refused, as in the audit trail. Clients get the same error for all of them. */
type RefusalReason =
  /** No account here has it, or not for this purpose. */
  | 'PASSKEY_UNKNOWN'
  /** Another account has it. */
  | 'PASSKEY_TAKEN'
  /** The challenge was used, has expired, or was made for another purpose, browser or account. */
  | 'PASSKEY_CHALLENGE'
  /** A page or an app that isn't among the `origins`, or in a frame. */
  | 'PASSKEY_ORIGIN'
  /** It is for another domain than `rpId`. */
  | 'PASSKEY_RP_ID'
  /** It names another user, or none at a login by passkey alone. */
  | 'PASSKEY_USER_HANDLE'
  /** The authenticator didn't verify its owner. */
  | 'PASSKEY_NOT_VERIFIED'
  /** Signed by another key. */
  | 'PASSKEY_SIGNATURE'
  /** The signature counter didn't grow. */
  | 'PASSKEY_CLONED'
  /** It could be synced before, and now claims that it can't. */
  | 'PASSKEY_BACKUP'
  /** Malformed, or against any other rule. */
  | 'PASSKEY_INVALID'

/** Those that suggest somebody else's passkey, or a copy. The others happen to the right one, in a wrong setup. */
const suspicious: readonly RefusalReason[] = ['PASSKEY_UNKNOWN', 'PASSKEY_SIGNATURE', 'PASSKEY_CLONED']

/** A refused passkey. */
export class Refusal extends Error {
  readonly reason: RefusalReason

  /** @param detail for the log: what exactly is wrong */
  constructor(reason: RefusalReason, detail: string) {
    super(detail)
    this.reason = reason
  }

  get isSuspicious(): boolean {
    return suspicious.includes(this.reason)
  }
}

/** What the library or a check threw. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  const { name, message } = error as Error
  return new Refusal(name === 'UnexpectedRPIDHash' ? 'PASSKEY_RP_ID' : 'PASSKEY_INVALID', message)
}

export const unknownPasskey = () =>
  new Refusal('PASSKEY_UNKNOWN', 'no account has it, or not for this purpose')
export const usedChallenge = () => new Refusal('PASSKEY_CHALLENGE', 'its challenge has been used before')

/** Records in the audit trail and the log why a passkey is refused. Anybody may have written what the message quotes. */
export function noteRefusal(client: Pick<Client, 'note' | 'log'>, { reason, message }: Refusal): void {
  client.note({ reason })
  const detail = message.replaceAll(/\p{Cc}+/gu, ' ').slice(0, 300)
  client.log.info({ code: reason, reason: detail }, 'accounts: a passkey was refused')
}
