import { readFileSync } from 'node:fs'
import {
  argon2,
  aspnetIdentity,
  bcrypt,
  betterAuth,
  djangoArgon2,
  djangoBcrypt,
  djangoPbkdf2,
  djangoScrypt,
  type ForeignHashes,
  firebase,
  lucia,
  passlibBcryptSha256,
  passlibPbkdf2,
  pbkdf2,
  werkzeugPbkdf2,
  werkzeugScrypt,
  wordpressBcrypt,
  wordpressPhpass,
} from '@fastify-accounts/hashes'

/** What another library made when test/fixtures/make.sh asked it to, or what was published. */
interface Fixture {
  /** The library, with its version. */
  by: string
  kind: string
  password: string
  hash: string
  salt?: string
}

/** The project in the README of Firebase's tool. */
export const firebaseProject = {
  signerKey: 'jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==',
  saltSeparator: 'Bw==',
  rounds: 8,
  memCost: 14,
}

const kinds: Record<string, () => ForeignHashes> = {
  pbkdf2_sha256: djangoPbkdf2,
  argon2,
  'django argon2': djangoArgon2,
  bcrypt_sha256: djangoBcrypt,
  'django bcrypt': djangoBcrypt,
  scrypt: djangoScrypt,
  devise: bcrypt,
  'devise with a pepper': () => bcrypt({ pepper: 'a pepper of no use to anybody' }),
  bcrypt,
  'better-auth': betterAuth,
  lucia,
  firebase: () => firebase(firebaseProject),
  pbkdf2,
  'pbkdf2, SHA-512': () => pbkdf2({ digest: 'sha512' }),
  'wordpress phpass': wordpressPhpass,
  'wordpress bcrypt': wordpressBcrypt,
  'passlib bcrypt-sha256': passlibBcryptSha256,
  'werkzeug scrypt': werkzeugScrypt,
  ...Object.fromEntries(
    (['sha1', 'sha256', 'sha512'] as const).flatMap((digest) => [
      [`passlib ${digest}`, () => passlibPbkdf2({ digest })],
      [`werkzeug ${digest}`, () => werkzeugPbkdf2({ digest })],
      [`aspnet ${digest}`, () => aspnetIdentity({ digest })],
    ]),
  ),
}

function readFixtures(name: string): Fixture[] {
  return JSON.parse(readFileSync(new URL(`../hashes/test/fixtures/${name}`, import.meta.url), 'utf8'))
}

export const fixtures = [...readFixtures('hashes.json'), ...readFixtures('published.json')].map(
  ({ kind, salt, hash, ...fixture }) => {
    let name = kinds[`django ${kind}`] && fixture.by.startsWith('Django') ? `django ${kind}` : kind
    if (kind === 'pbkdf2' && hash.startsWith('$pbkdf2-sha512$')) name = 'pbkdf2, SHA-512'
    const make = kinds[name]
    if (make === undefined) throw new Error(`nothing reads ${kind}`)
    return { ...fixture, kind: name, make, hash: salt === undefined ? hash : `firebase:${salt}:${hash}` }
  },
)

/** One fixture of each library's each kind. */
export const oneOfEach = [...new Map(fixtures.map((each) => [`${each.by} ${each.kind}`, each])).values()]
