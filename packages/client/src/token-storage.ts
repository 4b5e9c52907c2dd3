/** Where an app keeps its tokens: the device's secure storage, a file, or memory. */
export interface TokenStorage {
  /** What was last saved; `null` if nothing was. If it throws or takes 30 seconds, the call fails with STORAGE_FAILED. */
  load(): Promise<StoredTokens | null> | StoredTokens | null
  /**
   * Keeps a new value, before the call that got it resolves; with `null`, nothing. If it throws or takes 30 seconds, the
   * call fails with STORAGE_FAILED; the next one saves again.
   */
  save(stored: StoredTokens | null): Promise<unknown> | unknown
  /** What the user's list of sessions calls this device or program. At most 64 characters. Default: no name. */
  name?: string | undefined
}

/** Survives JSON. Opaque to the app: keep it as a whole, and as secret as a password. */
export interface StoredTokens {
  /** Absent if nobody is logged in. */
  access?: string | undefined
  refresh?: string | undefined
  /** When the access token has to be refreshed, in milliseconds since 1970 by this device's clock. */
  until?: number | undefined
  /** How long that was when it came, in milliseconds: it never lasts longer, whatever the clock says since. */
  lifetime?: number | undefined
  /** What a browser would keep in the service's other cookies, such as that this device has logged in before. */
  state?: string | undefined
}
