import type { ClientOptions } from '@fastify-accounts/client'
import type {
  argon2,
  bcrypt,
  djangoArgon2,
  djangoBcrypt,
  djangoPbkdf2,
  djangoScrypt,
  pbkdf2,
} from '@fastify-accounts/hashes'
import type {
  createKyselySessionStore,
  createKyselyUserStore,
  migrate,
  mysqlDialect,
  openDatabase,
  openMysql,
  openPostgres,
  openSqlite,
  postgresDialect,
  sqliteDialect,
} from '@fastify-accounts/kysely'
import type { createNodemailerMailer } from '@fastify-accounts/nodemailer'
import type { createRedisSessionStore, createRedisThrottleStore } from '@fastify-accounts/redis'
import type { OptionsOf, Refusing } from '@fastify-accounts/test-support/option-types'
import type { AccountsOptions, createScryptHasher, pwnedPasswords, secondFactor } from 'fastify-accounts'
import { expectTypeOf, test } from 'vitest'

test('every optional option takes `undefined`', () => {
  // Fastify's own `register` has \`prefix\`, too.
  expectTypeOf<Exclude<Refusing<AccountsOptions>, 'prefix'>>().toBeNever()
  expectTypeOf<Refusing<ClientOptions>>().toBeNever()
  expectTypeOf<Refusing<OptionsOf<typeof secondFactor>>>().toBeNever()
  type Hashers =
    | typeof argon2
    | typeof bcrypt
    | typeof djangoArgon2
    | typeof djangoBcrypt
    | typeof djangoPbkdf2
  expectTypeOf<Refusing<OptionsOf<Hashers | typeof djangoScrypt | typeof pbkdf2>>>().toBeNever()
  expectTypeOf<Refusing<OptionsOf<typeof createScryptHasher | typeof pwnedPasswords>>>().toBeNever()
  type Stores = typeof createKyselySessionStore | typeof createKyselyUserStore
  expectTypeOf<Refusing<OptionsOf<Stores>>>().toBeNever()
  type Open = typeof openMysql | typeof openPostgres | typeof openSqlite | typeof openDatabase
  type Dialects = typeof mysqlDialect | typeof postgresDialect | typeof sqliteDialect
  expectTypeOf<Refusing<OptionsOf<Open | Dialects | typeof migrate>>>().toBeNever()
  expectTypeOf<Refusing<OptionsOf<typeof createNodemailerMailer>>>().toBeNever()
  expectTypeOf<
    Refusing<OptionsOf<typeof createRedisSessionStore | typeof createRedisThrottleStore>>
  >().toBeNever()
})
