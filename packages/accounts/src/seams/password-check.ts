/** What is wrong with a new password: one of our codes, or a text of your own, which whoever chose it is told. */
export type PasswordFault = 'breached' | 'too_common' | { readonly message: string }

/**
 * Looks a new password through, after our own rules: `null` where nothing is wrong with it. Asked at sign-up, change
 * and reset, and where staff or your code set one; never at login.
 */
export interface PasswordCheck {
  /** @param password as it will be hashed: in Unicode normalization form C */
  (
    password: string,
    owner: { readonly username: string | null; readonly email: string | null },
  ): PasswordFault | null | Promise<PasswordFault | null>
  /**
   * What a call that throws or takes too long means: `true`, nothing is wrong with the password; otherwise 503. One line
   * of the log tells of the outage either way, and one of its end, with how many calls failed. Default `false`.
   */
  readonly failsOpen?: boolean
}
