import type { NewKeyBody } from '../schemas.js'
import type { NewApiKeyInput } from './new-key.js'

/**
 * What a request asks for, whose times are in seconds. In a file of its own: an app's compiler loads the types of
 * new-key.ts, and would load TypeBox with this one.
 */
export function inputOf({ name, scopes, expires_in }: NewKeyBody): NewApiKeyInput {
  return { name, scopes, lifetime: expires_in && expires_in * 1000 }
}
