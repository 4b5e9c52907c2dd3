import type { ErrorCode } from '../errors.js'
import type { PageTheme } from '../pages/theme.js'
import type { Client } from '../sessions/client.js'
import type { StoredUser } from '../user.js'

/**
 * Another way than a password to begin an account, for somebody who proves its address by a link. Provided by a feature.
 */
export interface OtherBeginning {
  /**
   * Its part of the link's page, below the form for a password: HTML, empty if there is nothing to show.
   * @param paths where its script sends requests; only with `proof`
   */
  show(theme: PageTheme, paths?: BeginningPaths): string
  /** The script of that HTML, a module. Default: it needs none. */
  readonly script?: string
  /** The provider that the person goes to: its name in paths, and its display name. Default: nobody goes elsewhere. */
  readonly provider?: { readonly name: string; readonly label: string }
  /** What the account gets to log in with. Default: the person goes elsewhere, such as to a provider. */
  readonly proof?: BeginningProof
}

/** Below the path of the link. */
export interface BeginningPaths {
  options: string
  action: string
}

/** A credential that is made in two requests: for what the browser needs, and with what it made. */
export interface BeginningProof {
  /** The end of its paths, operations and route names: `passkey`. */
  readonly kind: string
  /** The field of the body that carries it. */
  readonly field: string
  /** JSON Schema of that field. */
  readonly schema: object
  /** JSON Schema of what the browser needs. */
  readonly reply: object
  /** The error for a wrong one. */
  readonly refusal: ErrorCode
  /**
   * What the browser needs to make one.
   * @param occasion what it is for: one for another is invalid
   * @param name of the account, as the browser shows it
   */
  options(client: Client, occasion: string, name: string): Promise<object>
  /**
   * Checks it, and uses it up.
   * @throws AccountsError
   */
  take(
    client: Client,
    occasion: string,
    value: unknown,
  ): Promise<Pick<StoredUser, 'credentials' | 'identityKeys'>>
}
