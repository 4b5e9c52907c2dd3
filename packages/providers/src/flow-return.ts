import type { Flow } from './flow.js'
import type { Issuer, Login } from './issuer.js'

/** What a browser has brought back from a provider. */
export interface Return {
  issuer: Issuer
  flow: Pick<Flow, 'remember' | 'next' | 'app' | 'transient'>
  profile: Login
}
