/** A case that is decided, not tried. */
export interface Decision {
  /** Of ids.json. */
  id: string
  /** What the case is about, in a few words. */
  tried: string
  /** What was decided and why, in one or two sentences. */
  decision: string
}

/** They stand in docs/security-cases.md. */
export const decisions: readonly Decision[] = [
  {
    id: 'DEL-01',
    tried: 'deleting an account without its password, or from an old session',
    decision:
      'Refused: to delete one’s own account, at DELETE /me/ or DELETE /user/{pk}, the password must have been given within `session.confirmLifetime`, 15 minutes by default; else it is 403 ACCOUNTS_CONFIRMATION_REQUIRED until POST /confirm/. A dead session is 401 (SES-02, SES-07). A live session is enough for staff to delete somebody else; `authorize.deleteUser` may keep deletion to fewer.',
  },
  {
    id: 'CSR-04',
    tried: 'a synchronizer token of before the login, or of another session',
    decision:
      'There is no such token that could be fixed or stolen: what another site sends is refused by Fetch Metadata and Origin (CSR-01), at the login too, as OWASP’s CSRF Prevention Cheat Sheet allows.',
  },
]
