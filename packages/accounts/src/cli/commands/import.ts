import { rmSync } from 'node:fs'
import { resolve } from 'node:path'
import type { AccountsOptions, FieldError, JsonValue, PasswordHasher, UserFields } from '../../index.js'
import { type Command, configOption, textOf, textsOf, UsageError, type Values } from '../command.js'
import { commandEvents } from '../command-events.js'
import type { SourceRecord } from '../import/csv.js'
import { csvCell } from '../import/csv-cell.js'
import { checkFiles, errorsHeader, lazyFile, openInput, paced } from '../import/files.js'
import { identityReader } from '../import/identities.js'
import { invitingOptions, withInviter } from '../import/inviter.js'
import { readJsonLines } from '../import/json-lines.js'
import { withColumns, withoutPasswords } from '../import/known-columns.js'
import { createMapping, isMapped, mappedColumns } from '../import/mapping.js'
import { parseJson } from '../import/parse-json.js'
import { createProofReaders } from '../import/proofs.js'
import { report } from '../import/report.js'
import { type ImportPlan, runImport } from '../import/run.js'
import { namesOf, withProject } from '../project.js'

export const importUsers: Command = {
  name: 'import',
  summary: 'import users from CSV or JSON lines, with their password hashes',
  positionals: { text: '<file>', count: 1 },
  options: {
    format: {
      type: 'string',
      value: 'csv|jsonl',
      description: 'by default, from the file extension',
    },
    delimiter: {
      type: 'string',
      value: 'character',
      description: 'CSV delimiter; a comma by default',
    },
    map: {
      type: 'string',
      multiple: true,
      value: 'field=column',
      description: 'the column of a field, or a text with {columns} in it',
    },
    set: {
      type: 'string',
      multiple: true,
      value: 'field=value',
      description: 'the same value for every user',
    },
    issuer: {
      type: 'string',
      multiple: true,
      value: 'provider=url',
      description: "the issuer of a provider's identities; an empty one leaves them out",
    },
    'keep-ids': { type: 'boolean', description: 'keep the ids from the file' },
    'id-map': {
      type: 'string',
      value: 'file',
      description: 'write old and new ids to a CSV file',
    },
    errors: {
      type: 'string',
      value: 'file',
      description: 'CSV file for rejected lines; <file>.errors.csv by default',
    },
    update: { type: 'boolean', description: 'change existing users, but not their passwords' },
    invite: {
      type: 'boolean',
      description: 'email users without a usable password an invitation to choose one',
    },
    'dry-run': { type: 'boolean', description: 'check the file and import nothing' },
    ...configOption,
  },
  notes: [
    'Fields: id, username, email, passwordHash, isVerified, isStaff, roles, isActive, createdAt, lastLoginAt,',
    'fields.<name>, totp, recoveryCodes, passkeys, apiKeys, identities.',
    'A column with such a name, or its snake_case form, needs no --map, except fields.<name>. The file - is standard input.',
    'It can be repeated: existing users are left alone, and nobody is invited twice.',
  ],
  async run({ values, positionals, cwd, terminal }) {
    const [file = ''] = positionals
    const maps = textsOf(values, 'map')
    const sets = textsOf(values, 'set')
    const identities = identityReader(textsOf(values, 'issuer'))
    const format = formatOf(file, values)
    const delimiter = textOf(values, 'delimiter') ?? ','
    if (delimiter.length !== 1 || /["\r\n]/.test(delimiter))
      throw new UsageError('--delimiter must be one character')
    const input = openInput(cwd, file)
    const errorsFile = textOf(values, 'errors') ?? `${file === '-' ? 'import' : file}.errors.csv`
    const idMap = textOf(values, 'id-map')
    checkFiles(cwd, { file, errorsFile, idMap })
    const errors = lazyFile(resolve(cwd, errorsFile), errorsHeader)
    const ids = idMap === undefined ? null : lazyFile(resolve(cwd, idMap), 'old,new')
    const place = { cwd, config: textOf(values, 'config') }
    const progress = terminal.progress('Importing')
    const started = performance.now()
    let isApp = false
    try {
      const counts = await withProject(place, async (project) => {
        const { source, userStore, options, assertWhole } = project
        // A database alone doesn't reveal the app's hasher.
        isApp = source !== 'DATABASE_URL'
        const inviting = values.invite === true ? invitingOptions(source, { ...options, userStore }) : null
        if (values['dry-run'] !== true) await assertWhole()
        const keepIds = values['keep-ids'] === true
        if (keepIds && userStore.createMany === undefined) {
          throw new Error(
            'this user store creates its own ids: omit --keep-ids; --id-map records old and new ids',
          )
        }
        const mapping = createMapping(maps, sets, await createProofReaders(options, identities))
        // An earlier run's file would look like this run's.
        rmSync(resolve(cwd, errorsFile), { force: true })
        const chunks = paced(input.chunks, () => Promise.all([errors.drained(), ids?.drained()]))
        const read = format === 'csv' ? await csvRecords(chunks, delimiter) : readJsonLines(chunks)
        const records = withColumns(read, mappedColumns(maps))
        const hasher = isApp ? (options.passwordHasher ?? (await defaultHasher())) : undefined
        const events = await commandEvents(project)
        const plan: ImportPlan = {
          records: isMapped('passwordHash', [...maps, ...sets]) ? records : withoutPasswords(records),
          mapping,
          store: userStore,
          hasher,
          keepIds,
          names: namesOf(options),
          emailAddresses: options.emailAddresses,
          roles: options.roles,
          update: values.update === true,
          dryRun: values['dry-run'] === true,
          checkFields: await fieldChecker(options),
          messagesOf: events.ofChange,
          onCreated: (count) =>
            events.post(events.about({ type: 'users.imported', user: null, data: { count } })),
          onRejected: (line, reason) => errors.write(`${line},${csvCell(reason)}`),
          onId: (from, to) => ids?.write(`${csvCell(from)},${csvCell(to)}`),
          onProgress: (now) => progress.update(input.part(), `${now.lines} lines, ${now.rejected} rejected`),
        }
        if (inviting === null) return runImport(plan)
        if (plan.dryRun) return runImport({ ...plan, inviter: { invite: async () => 'invited' } })
        return withInviter(inviting, plan, (inviter) => runImport({ ...plan, inviter }))
      })
      await Promise.all([errors.end(), ids?.end()])
      const outcome = {
        isApp,
        errorsFile: counts.rejected + counts.inviteFailed > 0 ? errorsFile : null,
        time: performance.now() - started,
      }
      return report(counts, values, outcome)
    } finally {
      progress.end()
    }
  },
}

function formatOf(file: string, values: Values): 'csv' | 'jsonl' {
  const format = textOf(values, 'format') ?? /\.(csv|jsonl|ndjson)$/i.exec(file)?.[1]?.toLowerCase()
  if (format === 'csv') return 'csv'
  if (format === 'jsonl' || format === 'ndjson') return 'jsonl'
  throw new UsageError('--format must be csv or jsonl')
}

/** Checks fields against `users.fields`, if known. A field may be absent, but not wrong. */
async function fieldChecker({ users }: Partial<AccountsOptions>): Promise<ImportPlan['checkFields']> {
  const fields = typeof users === 'object' ? users.fields : undefined
  if (fields === undefined) return () => null
  const { compileFields } = await import('../../validation.js')
  const check = compileFields(fields)
  const faultsOf = (value: UserFields): FieldError[] =>
    check(value).filter(({ field, code }) => code !== 'required' || field in value)
  return (value) => {
    // CSV values are all strings; one that the schema rejects may be meant as the value it spells.
    for (const { field } of faultsOf(value)) {
      if (typeof value[field] === 'string') value[field] = spelled(value[field])
    }
    const faults = faultsOf(value)
    return faults.length === 0 ? null : faults.map(({ field, code }) => `fields.${field}: ${code}`).join('; ')
  }
}

/** Loads the parser only when needed. */
async function csvRecords(
  chunks: AsyncIterable<string>,
  delimiter: string,
): Promise<AsyncIterable<SourceRecord>> {
  const { readCsv } = await import('../import/csv.js')
  return readCsv(chunks, delimiter)
}

async function defaultHasher(): Promise<PasswordHasher> {
  const { createScryptHasher } = await import('../../index.js')
  return createScryptHasher()
}

function spelled(text: string): JsonValue {
  const parsed = parseJson(text)
  return 'value' in parsed ? (parsed.value as JsonValue) : text
}
