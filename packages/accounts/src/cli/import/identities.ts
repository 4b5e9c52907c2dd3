import type { ImportReader } from '../../features/feature.js'
import { InvalidArgumentError } from '../../index.js'
import { UsageError } from '../command.js'

/** The issuers of providers, by the names that other systems use. GitHub has no issuer; this one is ours. */
const knownIssuers: Readonly<Record<string, string>> = {
  google: 'https://accounts.google.com',
  apple: 'https://appleid.apple.com',
  github: 'https://github.com',
}

/** The subjects that a provider uses, if other systems store something else as well. */
const subjectsOf: readonly { issuer: RegExp; subject: RegExp; is: string }[] = [
  { issuer: /^https:\/\/accounts\.google\.com$/, subject: /^\d+$/, is: 'a number' },
  { issuer: /^https:\/\/github\.com$/, subject: /^\d+$/, is: 'the number of the account, not its name' },
  {
    issuer: /^https:\/\/login\.microsoftonline\.com\//,
    subject: /^(?![0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$)/i,
    is: 'the sub of its ID tokens, not the object id',
  },
]

/**
 * Makes identity keys from what another system stored.
 * @param issuers `provider=issuer`, for unknown ones; an empty issuer skips the provider
 * @throws UsageError
 */
export function identityReader(issuers: readonly string[]): ImportReader {
  const issuerOf = new Map(Object.entries(knownIssuers))
  for (const each of issuers) {
    const at = each.indexOf('=')
    const issuer = each.slice(at + 1)
    if (at < 1 || (issuer !== '' && !isIssuer(issuer)))
      throw new UsageError(`--issuer requires provider=https://…, got ${each}`)
    issuerOf.set(each.slice(0, at), issuer)
  }
  return (values) => {
    const keys = values.map((value) => identityKey(value, issuerOf)).filter((key) => key !== null)
    return { identityKeys: [...new Set(keys)] }
  }
}

/** `null` for a skipped provider. */
function identityKey(value: unknown, issuerOf: ReadonlyMap<string, string>): string | null {
  const { provider, subject } = partsOf(value)
  if (provider === '' || subject === '') throw new InvalidArgumentError('lacks a provider or a subject')
  const issuer = isIssuer(provider) ? provider : issuerOf.get(provider)
  if (issuer === undefined) {
    throw new InvalidArgumentError(
      `the issuer of ${provider} is unknown; --issuer ${provider}=https://… names it, --issuer ${provider}= leaves it out`,
    )
  }
  if (issuer === '') return null
  const wrong = subjectsOf.find((each) => each.issuer.test(issuer) && !each.subject.test(subject))
  if (wrong !== undefined) throw new InvalidArgumentError(`the subject at ${issuer} is ${wrong.is}`)
  // OpenID Connect Core section 2.
  if (!/^[\x20-\x7e]{1,255}$/.test(subject))
    throw new InvalidArgumentError('a subject must have at most 255 ASCII characters')
  return `oidc:${issuer}|${subject}`
}

/** Reads `provider:subject` and `issuer|subject`, and the rows of better-auth, Auth.js and django-allauth. */
function partsOf(value: unknown): { provider: string; subject: string } {
  if (typeof value === 'string') {
    const at = value.includes('|') ? value.indexOf('|') : value.indexOf(':')
    return { provider: value.slice(0, Math.max(at, 0)), subject: value.slice(at + 1) }
  }
  const entry = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>
  const provider = entry.issuer ?? entry.providerId ?? entry.provider
  const subject = entry.subject ?? entry.accountId ?? entry.providerAccountId ?? entry.uid
  return { provider: String(provider ?? ''), subject: String(subject ?? '') }
}

function isIssuer(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text) && !text.includes('|')
}
