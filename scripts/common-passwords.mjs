/** Writes the list of common passwords into the plugin, from the development dependency that contains them. */
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const count = 10_000
// Shorter passwords are left out: they are rejected for their length.
const shortest = 8
const folder = new URL('../packages/accounts/', import.meta.url)
const { dictionary } = createRequire(new URL('package.json', folder))('@zxcvbn-ts/language-common')
const words = [...dictionary['passwords-common']]
  .map(String)
  .filter((word) => [...word].length >= shortest)
  .slice(0, count)
if (words.length < count || words.some((word) => /[\s`$\\]/.test(word))) {
  throw new Error('the dictionary is not what it was: look at it')
}

const lines = ['']
for (const word of words) {
  if (`${lines.at(-1)} ${word}`.length > 110) lines.push('')
  lines[lines.length - 1] = `${lines.at(-1)} ${word}`.trimStart()
}
const text = `/**
 * The 10,000 commonest passwords of eight characters or more, the commonest first, with white space between them.
 * Written by scripts/common-passwords.mjs out of zxcvbn-ts, which has them of zxcvbn: MIT License,
 * Copyright (c) 2012-2016 Dan Wheeler and Dropbox, Inc., Copyright (c) 2021 \\@zxcvbn-ts.
 */
export const commonPasswords: string = \`
${lines.join('\n')}
\`
`
writeFileSync(new URL('src/passwords/common-password-list.ts', folder), text.replace('\\@', '@'))
console.log(`${words.length} passwords`)
