import { type Call, type Command, textOf, textsOf, UsageError } from '../command.js'
import { counted } from '../counted.js'
import { type UsersSurvey, withDatabase } from '../project.js'
import { adoptingSql } from '../schema/adopt.js'
import { titles } from '../schema/dialect.js'
import { toDrizzle } from '../schema/drizzle.js'
import { adoptedTable, partOf, type TablePart } from '../schema/part.js'
import { toPrisma } from '../schema/prisma.js'

const formats = ['sql', 'prisma', 'drizzle'] as const

export const adopt: Command = {
  name: 'adopt',
  summary: 'print how to use an existing table of users',
  positionals: { text: 'users', count: 1 },
  options: {
    table: { type: 'string', value: 'name', description: 'the table; users by default' },
    column: {
      type: 'string',
      multiple: true,
      value: 'name=column',
      description:
        'which of your columns to use, if it is not found: username=login, is_active=not:locked (a lock is the opposite), or email=none (a new one)',
    },
    as: { type: 'string', value: formats.join('|'), description: 'what to print; sql by default' },
    fill: {
      type: 'boolean',
      description: 'give users the keys that they are found by, once the columns exist',
    },
  },
  notes: [
    'It reads the database of DATABASE_URL, and changes nothing without --fill.',
    '--fill may run while the app does, be interrupted, and be repeated.',
  ],
  async run({ cwd, values, positionals: [what] }) {
    if (what !== 'users') throw new UsageError(`adopt takes users, got ${what}`)
    const format = textOf(values, 'as') ?? 'sql'
    const schemaFormat = formats.find((each) => each === format)
    if (schemaFormat === undefined) throw new UsageError(`--as must be ${formats.join(', ')}, got ${format}`)
    const columns = columnsIn(values)
    return withDatabase(cwd, async (kysely, db) => {
      const survey = await kysely.surveyUsers(db, textOf(values, 'table') ?? 'users', columns)
      if (values.fill !== true) {
        const live = await kysely.readTable(db, survey.table.name)
        const adopted = adoptedTable(survey, live ?? { columns: [], indexes: [] })
        return print(
          survey,
          partOf(survey.table, adopted, survey.engine),
          schemaFormat,
          textsOf(values, 'column'),
        )
      }
      const [lack] = [
        ...survey.missing.columns.map(({ name }) => `column ${name}`),
        ...survey.missing.indexes.map(({ columns }) => `index on ${columns.join(', ')} as it should be`),
      ]
      if (survey.undecided[0] !== undefined) throw new Error(shown(survey.undecided[0]))
      if (lack !== undefined)
        throw new Error(`${survey.table.name} has no ${lack}: run what adopt users prints first`)
      const { filled, left, locked } = await kysely.fillKeys(db, survey.naming)
      const lines = [
        `filled: ${filled}`,
        ...leftLine(left, 'adopt users says why'),
        ...leftLine(locked, 'another transaction has their rows locked; once it has ended, run this again'),
      ]
      return { lines, data: { filled, left, locked }, ok: left.length + locked.length === 0 }
    })
  },
}

/** @throws UsageError */
function columnsIn(values: Call['values']): Partial<Record<string, string>> {
  return Object.fromEntries(
    textsOf(values, 'column').map((pair) => {
      const at = pair.indexOf('=')
      if (at < 1 || at === pair.length - 1) throw new UsageError(`--column must be name=column, got ${pair}`)
      return [pair.slice(0, at), pair.slice(at + 1)]
    }),
  )
}

/** How many users have no keys, some of their ids, and what is to be done. */
function leftLine(ids: readonly string[], remedy: string): string[] {
  if (ids.length === 0) return []
  const some = `${ids.slice(0, 10).join(', ')}${ids.length > 10 ? ', …' : ''}`
  return [shown(`left: ${counted(ids.length, 'user')} (${some}): ${remedy}`)]
}

function print(
  survey: UsersSurvey,
  part: TablePart,
  format: (typeof formats)[number],
  choices: readonly string[],
) {
  const { engine, table, naming, mended, unfilled, references, locks, keyless, users } = survey
  const { inactive, unverified, mayVerify } = survey
  const obstacles = [...survey.undecided, ...survey.obstacles]
  const mark = format === 'sql' ? '--' : '//'
  const comment = (text: string) => shown(`${mark} ${text}`)
  const statements = adoptingSql(survey)
  const first =
    statements.length === 0
      ? []
      : ['First run, or put into your migration in place of what the ORM writes:', ...statements].map(comment)
  const words =
    format === 'sql'
      ? statements
      : survey.undecided.length > 0
        ? [comment('The model depends on what must be fixed first.')]
        : [...first, ...(format === 'prisma' ? toPrisma : toDrizzle)([], engine, [part])]
  const options = ['tables', 'columns'] as const
  const lines = [
    comment(`${table.name} on ${titles[engine]}, as users of fastify-accounts`),
    ...obstacles.map((line) => comment(`Must be fixed: ${line}`)),
    ...mended.map((line) => comment(`Fixed by the statements below: ${line}`)),
    ...references.map((line) => comment(`Keeps pointing at it: ${line}`)),
    ...locks.map(({ name, choice }) => {
      const remedy = choice === null ? 'set the column of is_active for them' : `say --column ${choice}`
      return comment(`Not read: ${name}. If it locks users out, ${remedy}`)
    }),
    ...keylessLine(keyless, users).map(comment),
    comment(`Not active: ${inactive} of ${counted(users, 'user')}`),
    comment(`Not verified: ${unverified} of ${counted(users, 'user')}${mayVerifyText(mayVerify)}`),
    ...(words.length === 0 ? [comment('It has all columns and indexes.')] : words),
    ...(unfilled > 0
      ? [
          comment(
            `Then: npx fastify-accounts adopt users --table ${table.name} ${choices.map((choice) => `--column ${word(choice)} `).join('')}--fill (${unfilled} without keys)`,
          ),
        ]
      : []),
    comment('For migrate and the stores:'),
    ...options.map((name) => comment(`const ${name} = ${JSON.stringify(naming[name])}`)),
  ]
  const data = {
    naming,
    statements,
    references,
    unfilled,
    keyless,
    users,
    inactive,
    unverified,
    mayVerify,
    obstacles,
    mended,
    locks,
  }
  return { lines, data, ok: obstacles.length === 0 }
}

const causes = {
  'same name': 'the username of another but for case and Unicode form',
  'same address': 'the email address of another but for case and Unicode form',
  'no address': 'an invalid address',
  'other form': 'white space around the address, or another Unicode form of it',
  nothing: 'neither a username nor an address',
}

/** Who gets no keys, and so can't log in, by cause. */
function keylessLine({ total, ...counts }: UsersSurvey['keyless'], users: number): string[] {
  const parts = Object.entries(causes).flatMap(([cause, text]) =>
    counts[cause] === undefined ? [] : [`${counts[cause]} with ${text}`],
  )
  return total === 0 ? [] : [`Left without keys: ${total} of ${counted(users, 'user')}: ${parts.join(', ')}`]
}

function mayVerifyText(names: readonly string[]): string {
  const choices = names.map((name) => `${name} (--column is_verified=${name})`)
  return names.length === 0 ? '' : `. May say who is: ${choices.join(', ')}`
}

/** An argument as a shell reads it. */
function word(text: string): string {
  return /^[\w=:.-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

/** What people have entered, such as an id, must not end the comment: the rest of the line would be a statement. */
function shown(line: string): string {
  return line.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
}
