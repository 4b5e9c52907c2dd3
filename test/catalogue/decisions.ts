/** A case settled by a decision instead of a test. */
export interface Decision {
  /** From ids.json. */
  id: string
  /** What the case is about, in a few words. */
  tried: string
  /** What was decided and why, in one or two sentences. */
  decision: string
}

/** Printed in README.md. */
export const decisions: readonly Decision[] = [
  {
    id: 'DEL-01',
    tried: 'deleting an account without its password, or from an old session',
    decision:
      'Rejected: to delete your own account, at DELETE /me/ or DELETE /user/{pk}, you must have entered the password within `session.confirmLifetime`, 15 minutes by default; otherwise it is 403 ACCOUNTS_CONFIRMATION_REQUIRED until POST /confirm/. A dead session is 401 (SES-02, SES-07). Staff need only a live session to delete another user; `authorize.deleteUser` can restrict deletion further.',
  },
  {
    id: 'CSR-04',
    tried: 'a synchronizer token from before the login, or from another session',
    decision:
      'No such token exists, so none can be fixed or stolen: Fetch Metadata and Origin checks reject requests from other sites (CSR-01), at login as well, as OWASP’s CSRF Prevention Cheat Sheet allows.',
  },
]
