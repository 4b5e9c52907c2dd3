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
      'A live session is enough to delete one’s own account; a dead one is 401 (SES-02, SES-07). Asking for the password again belongs to a “confirm your password” step that will serve every such deed; until then `authorize.deleteUser` may keep deletion to staff, or to the host’s own form.',
  },
  {
    id: 'CSR-04',
    tried: 'a synchroniser token of before the login, or of another session',
    decision:
      'There is no such token that could be fixed or stolen: what another site sends is refused by Fetch Metadata and Origin (CSR-01), at the login too, as OWASP’s CSRF Prevention Cheat Sheet allows.',
  },
]
