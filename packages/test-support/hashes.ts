import { readFileSync } from 'node:fs'
import {
  argon2,
  bcrypt,
  betterAuth,
  djangoArgon2,
  djangoBcrypt,
  djangoPbkdf2,
  djangoScrypt,
  type ForeignHashes,
  firebase,
  lucia,
  pbkdf2,
} from '@fastify-accounts/hashes'

/** What another library made; test/fixtures/make.sh asked it to. */
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
}

const file = new URL('../hashes/test/fixtures/hashes.json', import.meta.url)
export const fixtures = (JSON.parse(readFileSync(file, 'utf8')) as Fixture[]).map(
  ({ kind, salt, hash, ...fixture }) => {
    let name = kinds[`django ${kind}`] && fixture.by.startsWith('Django') ? `django ${kind}` : kind
    if (hash.startsWith('$pbkdf2-sha512$')) name = 'pbkdf2, SHA-512'
    const make = kinds[name]
    if (make === undefined) throw new Error(`nothing reads ${kind}`)
    return { ...fixture, kind: name, make, hash: salt === undefined ? hash : `firebase:${salt}:${hash}` }
  },
)

/** One fixture of each library's each kind. */
export const oneOfEach = [...new Map(fixtures.map((each) => [`${each.by} ${each.kind}`, each])).values()]
