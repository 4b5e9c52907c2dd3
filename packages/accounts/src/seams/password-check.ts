/** What is wrong with a new password: one of our codes, or your own message to the user. */
export type PasswordFault = 'breached' | 'too_common' | { readonly message: string }

/**
 * Checks a new password, after our own rules; `null` if it is fine. Called at signup, change and reset, and when staff
 * or your code set one; never at login.
 */
export interface PasswordCheck {
  /** @param password as it will be hashed: in Unicode normalization form C */
  (
    password: string,
    owner: { readonly username: string | null; readonly email: string | null },
  ): PasswordFault | null | Promise<PasswordFault | null>
  /**
   * Whether a password passes if the call throws or takes too long; otherwise the response is 503. Either way the log has
   * one line when the outage begins, and one when it ends, with the number of failed calls. Default `false`.
   */
  readonly failsOpen?: boolean
}
