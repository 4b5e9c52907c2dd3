/*
 * How the site's search reads a query. Each function becomes a script of the site by its own text, so it may use nothing
 * from outside.
 */

/** Splits a query into words. Phrases that the pages word differently are followed by the words of the pages. */
function tokenize(query) {
  const phrases = {
    'forgot(ten)? (my |your |the )?password': 'reset password',
    'lost (my |your |the )?password': 'reset password',
    'password recovery': 'reset password',
    'magic link': 'login code email',
    '(two|2)[ -]?(factor|step)': 'second factor',
    'remember me': 'remember session',
    'social (login|sign[ -]?in)': 'providers',
    '(log|sign)[ -]?in with': 'providers',
    '(verify|confirm)(ing)? (an |the )?e-?mail': 'verify address',
    'e-?mail (verification|confirmation)': 'verify address',
    'change e-?mail': 'change address',
    'brute[ -]?force': 'rate limits attempts',
    'account lock(ed|out)?': 'rate limits owner',
    'log ?out everywhere': 'end sessions',
    'log ?out all': 'end sessions',
    'first (admin|user)': 'create-user staff',
    'add (a )?column': 'custom user fields',
    'behind (a )?proxy': 'trustProxy proxy',
    'api (key|token)s?': 'bearer tokens',
    'error handler': 'errorResponses errors',
  }
  const found = Object.keys(phrases).filter((phrase) => new RegExp(`\\b(?:${phrase})\\b`, 'i').test(query))
  const words = [query, ...found.map((phrase) => phrases[phrase])].join(' ')
  return words.split(/[\n\r\p{Z}\p{P}]+/u).filter((word) => word !== '')
}

/** Guides and reference pages before what TypeDoc made of the types, and before the sources that pages link to. */
function boostDocument(id) {
  return /\/(api|source)\//.test(id) ? 0.1 : 1
}

/** What people type for what the pages call otherwise: the words on the right are searched for beside theirs. */
function processTerm(term) {
  const synonyms = {
    '2fa': ['second', 'factor', 'totp'],
    mfa: ['second', 'factor', 'totp'],
    otp: ['totp', 'code'],
    authenticator: ['totp'],
    webauthn: ['passkey'],
    fido: ['passkey'],
    fido2: ['passkey'],
    yubikey: ['passkey', 'factor'],
    oauth: ['provider', 'openid'],
    oauth2: ['provider', 'openid'],
    oidc: ['openid', 'provider'],
    social: ['provider', 'google'],
    sso: ['provider', 'saml', 'openid'],
    magic: ['emailCode', 'code'],
    otc: ['emailCode'],
    rate: ['limit', 'throttle'],
    throttling: ['limit', 'throttle'],
    bruteforce: ['limit', 'throttle', 'attempts'],
    brute: ['limit', 'attempts'],
    captcha: ['limits'],
    custom: ['own'],
    extra: ['own'],
    metadata: ['fields'],
    columns: ['fields'],
    profile: ['fields'],
    admin: ['staff'],
    role: ['staff', 'authorize'],
    roles: ['staff', 'authorize'],
    permission: ['authorize', 'rules'],
    permissions: ['authorize', 'rules'],
    rbac: ['staff', 'authorize'],
    jwt: ['tokens', 'bearer'],
    mobile: ['tokens'],
    ios: ['tokens'],
    android: ['tokens'],
    expo: ['tokens'],
    i18n: ['languages'],
    translation: ['languages'],
    locale: ['languages'],
    smtp: ['nodemailer'],
    sendgrid: ['mailer'],
    resend: ['mailer'],
    prisma: ['user', 'store', 'adapter'],
    drizzle: ['user', 'store', 'adapter'],
    mongodb: ['user', 'store', 'adapter'],
    mongo: ['user', 'store', 'adapter'],
    postgresql: ['postgres', 'kysely'],
    csrf: ['cross', 'site', 'origin'],
    cors: ['origin', 'trustedOrigins'],
    signin: ['log', 'login'],
    register: ['sign', 'signup'],
    registration: ['sign', 'signup'],
    logout: ['log', 'out'],
    ban: ['disable'],
    block: ['disable'],
    gdpr: ['delete', 'account'],
    hibp: ['pwnedPasswords', 'breached'],
    leaked: ['pwnedPasswords', 'breached'],
    multitenant: ['realms'],
    tenant: ['realms'],
    tenants: ['realms'],
    health: ['doctor', 'outages'],
    monitoring: ['events', 'health'],
    webhook: ['events'],
    hooks: ['events', 'rules'],
    impersonate: ['impersonation', 'comparison'],
  }
  const word = term.toLowerCase()
  return [word, ...(synonyms[word] ?? []).map((each) => each.toLowerCase())]
}

export const searchOptions = { tokenize, processTerm, boostDocument }
