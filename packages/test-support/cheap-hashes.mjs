// Loaded before everything else in processes that tests start at quick depth: scrypt takes a hundredth of its time there,
// in hashing and verifying alike, so what is about something else doesn't wait for it. `?most=32768` is a quarter.
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

const most = Number(new URL(import.meta.url).searchParams.get('most') ?? 1024)

for (const name of ['scrypt', 'scryptSync']) {
  const real = crypto[name]
  crypto[name] = (password, salt, length, options, ...rest) =>
    real(password, salt, length, { ...options, N: Math.min(options.N, most) }, ...rest)
}
syncBuiltinESMExports()
