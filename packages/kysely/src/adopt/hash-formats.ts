/** Beginnings of hashes that the plugin or @fastify-accounts/hashes verifies. */
const formats = [
  /^c2NyeXB0A[A-Za-z0-9+/]{119}$/,
  /^\$2[aby]\$\d\d\$/,
  /^(?:argon2)?\$argon2(?:id|i|d)\$/,
  /^\$pbkdf2(?:-sha\d+)?\$/,
  /^pbkdf2:sha\d+:\d+\$/,
  /^scrypt:\d+:\d+:\d+\$/,
  /^\$bcrypt-sha256\$/,
  /^\$wp\$2y\$/,
  /^\$[PH]\$[./0-9A-Za-z]{31}$/,
  // ASP.NET Core Identity: versions 3 and 2.
  /^AQAAAA[A-L][A-Za-z0-9+/]+={0,2}$/,
  /^A[A-P][A-Za-z0-9+/]{64}==$/,
  /^pbkdf2_sha256\$/,
  /^bcrypt(?:_sha256)?\$\$2/,
  /^scrypt\$\d+\$/,
  /^firebase:[^:]+:/,
  /^(?:s2:)?(?:[0-9A-Za-z]{16}|[0-9a-f]{32}):[0-9a-f]{128}$/,
]

/** Whether a text looks like a password hash that some hasher verifies. */
export function isKnownHash(text: string): boolean {
  return formats.some((format) => format.test(text))
}
