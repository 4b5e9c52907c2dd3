import { deriveKeys, type FeatureCore, openSealed, seal } from 'fastify-accounts/features'

/** Carries values through a browser for some time, so nobody else can read or change them. */
export interface Sealed<Value, Context extends string> {
  /** @param context what it is for: it opens for nothing else */
  seal(value: Value, context: Context): string
  /** `null` if it wasn't sealed here, was sealed for something else, or has ended. */
  open(sealed: unknown, context: Context): Value | null
}

/**
 * Make it once, at start: it derives keys.
 * @param name of the keys
 * @param lifetime seconds
 */
export function sealedFor<Value, Context extends string = ''>(
  { options: { secret, session } }: Pick<FeatureCore, 'options'>,
  name: string,
  lifetime: number,
): Sealed<Value, Context> {
  const keys = deriveKeys(secret, `pages-${name}:${session.cookieName}`)
  return {
    seal: (value, context) => seal(keys[0], JSON.stringify([value, Date.now() + lifetime * 1000]), context),
    open(sealed, context) {
      const text = typeof sealed === 'string' ? openSealed(keys, sealed, context) : null
      if (text === null) return null
      const [value, end] = JSON.parse(text) as [Value, number]
      // A browser may keep it longer, or somebody may put back an old one.
      return Date.now() < end ? value : null
    },
  }
}
