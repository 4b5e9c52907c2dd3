import { goodPassword, testApp } from '@fastify-accounts/test-support/app'
import { describe, expect, test } from 'vitest'
import { type AccountsError, parseEmail, usernameKey } from '../src/index.js'

// A Deseret letter: two UTF-16 units, unchanged by every normalization form.
const deseret = '\u{10428}'

describe('a username', () => {
  async function faults(names: readonly string[]): Promise<(string | undefined)[]> {
    const { app } = await testApp()
    const found: (string | undefined)[] = []
    for (const username of names) {
      const error = await app.accounts.createUser({ username, password: goodPassword }).then(
        () => undefined,
        (reason: AccountsError) => reason,
      )
      found.push(error === undefined ? undefined : (error.fields?.[0]?.code ?? error.code))
    }
    return found
  }

  test.each([
    ['one letter', 'x'],
    ['letters of any script, with their marks', 'न\u092eस्ते'],
    ['digits and the five signs, anywhere', '@.+-_0'],
    ['each sign alone, and a digit', '@', '.', '+', '-', '_', '7'],
    ['150 letters of two units each', deseret.repeat(150)],
    ['150 letters once folded', 'ß'.repeat(75)],
    ['a reserved name as a part', 'admins', 'my-root'],
  ])('may be %s', async (_, ...names) => {
    expect(await faults(names)).toEqual(names.map(() => undefined))
  })

  test.each([
    ['nothing', 'required', ''],
    ['151 letters', 'too_long', deseret.repeat(151), 'x'.repeat(151), 'x'.repeat(301)],
    ['151 signs that are not allowed', 'too_long', ' '.repeat(151)],
    ['150 letters that fold into more', 'too_long', 'ß'.repeat(76), '\ufdfa'.repeat(9)],
    ['a mark without a letter', 'invalid', '\u0301abc'],
    ['a sign of any other kind', 'invalid', ...'!"#$%&\'()*,/:;<=>?[\\]^`{|}~ \t\n×€'],
    ['a bad sign at the start, in the middle, at the end', 'invalid', ' abc', 'a c', 'abc '],
    ['letters that nobody sees', 'invalid', 'a\u3164', '\u3164a', '\u115f', '\uffa0b'],
    ['what folds into white space', 'invalid', '\ufdfa'],
    ['reserved, however it is spelled', 'invalid', 'admin', 'ROOT', 'ＡＤＭＩＮ', 'ſupport', 'Mailer-Daemon'],
  ])('may not be %s', async (_, code, ...names) => {
    expect(await faults(names)).toEqual(names.map(() => code))
  })

  test('is compared without case and compatibility forms; the key of a key is the key', () => {
    for (const [name, key] of [
      ['ADA', 'ada'],
      ['ａｄａ', 'ada'],
      ['Straße', 'strasse'],
      ['ΣΊΣΥΦΟΣ', usernameKey('σίσυφος')],
      ['ſ', 's'],
      ['ﬁ', 'fi'],
      ['A\u030a', '\u00e5'],
      ['', ''],
      [' two words ', ' two words '],
    ] as const) {
      expect(usernameKey(name)).toBe(key)
      expect(usernameKey(key)).toBe(key)
    }
    // Some characters need a second round before the result is stable.
    for (let code = 0; code <= 0x1ffff; code += 1) {
      if (code >= 0xd800 && code <= 0xdfff) continue
      const key = usernameKey(String.fromCodePoint(code))
      if (usernameKey(key) !== key) expect.fail(`the key of U+${code.toString(16)} has another key`)
    }
  })
})

describe('an address', () => {
  const label = 'x'.repeat(63)

  test.each([
    ['as it is', 'ada@example.org', 'ada@example.org', 'ada@example.org'],
    ['in lower case', 'Ada.Lovelace@Example.ORG', 'Ada.Lovelace@Example.ORG', 'ada.lovelace@example.org'],
    ['without white space around', ' \tada@example.org\n', 'ada@example.org', 'ada@example.org'],
    ['composed', 'ame\u0301lie@example.org', 'am\u00e9lie@example.org', 'am\u00e9lie@example.org'],
    ['its domain in ASCII', 'ada@Bücher.example', 'ada@bücher.example', 'ada@xn--bcher-kva.example'],
    [
      'its domain as it is mailed to',
      'ada@STRAẞE.example',
      'ada@straße.example',
      'ada@xn--strae-oqa.example',
    ],
    ['its domain in ASCII already', 'ada@xn--bcher-kva.example', 'ada@xn--bcher-kva.example', null],
    ['of this machine', 'ada@localhost', 'ada@localhost', 'ada@localhost'],
    ['with every sign', "a!#$%&'*+/=?^_`{|}~-z.9@b-1.org", "a!#$%&'*+/=?^_`{|}~-z.9@b-1.org", null],
    ['of one letter each', 'a@b.c', 'a@b.c', 'a@b.c'],
    ['of digits', '1@2.3a', '1@2.3a', '1@2.3a'],
    ['with marks in the domain', 'a@नमस्ते.example', 'a@नमस्ते.example', 'a@xn--h2bhs4b8d8a.example'],
  ])('is stored and compared %s', (_, text, email, key) => {
    expect(parseEmail(text)).toEqual({ email, emailKey: key ?? email })
  })

  test('may have 254 characters, 64 in its local part, 63 in a label of its domain', () => {
    const longest = `${'a'.repeat(64)}@${label}.${label}.${'x'.repeat(61)}`
    expect(longest).toHaveLength(254)
    expect(parseEmail(longest)?.email).toBe(longest)
    expect(parseEmail(`${longest}x`)).toBeNull()
    expect(parseEmail(`${'a'.repeat(64)}@example.org`)).not.toBeNull()
    expect(parseEmail(`${'a'.repeat(65)}@example.org`)).toBeNull()
    expect(parseEmail(`a@${label}.org`)).not.toBeNull()
    expect(parseEmail(`a@x${label}.org`)).toBeNull()
    // Short as text, but over 253 in ASCII, where each label is up to 59 longer.
    expect(parseEmail(`a@${`${'ü'.repeat(20)}.`.repeat(6)}org`)).not.toBeNull()
    expect(parseEmail(`a@${`${'ü'.repeat(20)}.`.repeat(10)}org`)).toBeNull()
    // Surrounding white space only counts if there is far too much of it.
    expect(parseEmail(`${' '.repeat(200)}ada@example.org`)).not.toBeNull()
    expect(parseEmail(`${' '.repeat(500)}ada@example.org`)).toBeNull()
  })

  test.each([
    ...['', 'ada', '@', 'ada@', '@example.org', 'a@b@example.org', 'ada@example.org@'],
    ...['.ada@example.org', 'ada.@example.org', 'a..da@example.org', '"ada"@example.org', 'a(b)@example.org'],
    ...['a da@example.org', 'a,b@example.org', '<ada@example.org>', 'Ada <ada@example.org>', 'a:b@c.org;'],
    ...['ada@example', 'ada@localhost.', 'ada@.org', 'ada@example.', 'ada@exa mple.org', 'ada@[127.0.0.1]'],
    ...['ada@-example.org', 'ada@example-.org', 'ada@exam_ple.org', 'ada@exam!ple.org', 'ada@xn--a.org'],
    ...['ada@XN--A.org', 'ada@xn--0.example.org'],
    ...['ada@127.0.0.1', 'ada@0x7f.1', 'ada@1.2', 'ada@169.254.43518', 'ada@１.2'],
    ...['ada\r\nBcc: b@example.org', 'ada@example.org\r\nx', 'ada\0@example.org', 'a\ud800@example.org'],
    ...[
      'ada＠example.org',
      'ａda@example.org',
      'ada@ｅxample.org',
      'ada@exam\u2100ple.org',
      'a\u200bb@c.org',
    ],
  ])('RST-04 is never %j', (text) => {
    expect(parseEmail(text)).toBeNull()
  })
})
