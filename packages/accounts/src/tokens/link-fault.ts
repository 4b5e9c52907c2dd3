import { AccountsError } from '../errors.js'
import type { TokenContext } from '../seams/token-signer.js'
import type { StoredUser } from '../user.js'

/**
 * Why a link that was signed here is invalid: a page of a feature may say so. The response of ours is the same for every reason.
 */
export class LinkFault extends Error {
  override readonly name = 'LinkFault'
  readonly state: 'expired' | 'used'
  readonly purpose: TokenContext['purpose']
  // Private, as a log shows every property.
  readonly #user: StoredUser | null

  /**
   * @param state `used` if its account has changed since, also by this link
   * @param user whom it is for; `null` if the account is gone
   */
  constructor(state: LinkFault['state'], purpose: TokenContext['purpose'], user: StoredUser | null) {
    super(`the link is ${state}`)
    this.state = state
    this.purpose = purpose
    this.#user = user
  }

  get user(): StoredUser | null {
    return this.#user
  }
}

/** ACCOUNTS_INVALID_LINK for a link that was signed here. */
export const invalidLink = (...why: ConstructorParameters<typeof LinkFault>): AccountsError =>
  new AccountsError('ACCOUNTS_INVALID_LINK', { cause: new LinkFault(...why) })
