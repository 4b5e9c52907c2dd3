// Loaded at quick depth before everything else, in processes that tests start or by a test itself: scrypt takes a
// hundredth of its time, in hashing and verifying alike, so tests of something else don't wait for it.
// ACCOUNTS_TEST_SCRYPT_MOST=32768 makes it a quarter.
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

const most = Number(process.env.ACCOUNTS_TEST_SCRYPT_MOST ?? 1024)

for (const name of ['scrypt', 'scryptSync']) {
  const real = crypto[name]
  crypto[name] = (password, salt, length, options, ...rest) =>
    real(password, salt, length, { ...options, N: Math.min(options.N, most) }, ...rest)
}
syncBuiltinESMExports()
