import { guardCallback } from '../adapters/guard.js'
import { createOutage, type OutageLog } from '../adapters/outages.js'
import { unknownRoles } from '../options/privileges.js'
import type { ResolvedOptions } from '../options/resolve.js'
import {
  type BeforeRules,
  type Granted,
  nothingGranted,
  type RuleContext,
  type Rules,
  type SignUpAttempt,
} from '../seams/before.js'
import { RuleError } from '../seams/rule-error.js'
import { noRefusal } from './no-refusal.js'

type RuleOptions = Pick<ResolvedOptions, 'before' | 'adapterTimeout' | 'checkFields' | 'roles'>

/**
 * The rules of `before`: one that fails, is late or returns what no account may have is a 503.
 * @param log gets their outages
 */
export function guardBefore(options: RuleOptions, log: OutageLog): Rules {
  const { before, adapterTimeout } = options
  const { signUp, logIn, changeEmail } = before
  const outage = createOutage('before', log)

  function guarded<About extends object, Result>(
    name: keyof BeforeRules,
    rule: (about: About, context: RuleContext) => Result | Promise<Result>,
  ): (about: About) => Promise<Result> {
    const path = `before.${name}`
    const call = guardCallback(
      path,
      (about: About, signal: AbortSignal) => refusalOr(path, () => rule(about, { signal })),
      adapterTimeout,
      outage,
      // A method is a word that other texts have as well.
      (about) => Object.entries(about).filter(([name]) => !name.startsWith('method')),
    )
    return async (about) => {
      const controller = new AbortController()
      const outcome = await call(about, controller.signal).catch((error: unknown) => {
        controller.abort(error)
        throw error
      })
      if ('refusal' in outcome) throw outcome.refusal
      return outcome.result
    }
  }

  return {
    ...(signUp && {
      signUp: guarded('signUp', async (attempt: SignUpAttempt, context) =>
        checked(options, attempt, await signUp.call(before, attempt, context)),
      ),
    }),
    ...(logIn && { logIn: guarded('logIn', logIn.bind(before)) }),
    ...(changeEmail && { changeEmail: guarded('changeEmail', changeEmail.bind(before)) }),
  }
}

/** A refusal is an outcome like any other; what else a rule throws says that it failed. */
async function refusalOr<Result>(
  path: string,
  ask: () => Result | Promise<Result>,
): Promise<{ result: Result } | { refusal: RuleError }> {
  try {
    const result = await ask()
    // Types let a function that should return nothing return anything.
    if (result === false) throw new TypeError(`${path} returned false; to refuse, throw a RuleError`)
    return { result }
  } catch (thrown) {
    if (thrown instanceof RuleError) return { refusal: thrown }
    throw noRefusal(path, thrown, 'throw a RuleError')
  }
}

/** @throws TypeError with one line if no account may have what the rule returned */
function checked(
  { checkFields, roles: definitions }: RuleOptions,
  attempt: SignUpAttempt,
  // Not all apps are typed.
  returned: unknown,
): Granted {
  if (returned === undefined || returned === null) return nothingGranted
  const wrong = (what: string): never => {
    throw new TypeError(`before.signUp returned ${what}`)
  }
  if (typeof returned !== 'object') wrong('neither an object nor nothing')
  const { fields = {}, roles = [], ...others }: Record<string, unknown> = { ...(returned as object) }
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) wrong(`${unknown}, which is neither fields nor roles`)
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields))
    wrong('fields that are no object')
  const grantedFields = fields as Granted['fields']
  // The check writes defaults into its argument.
  const fault = checkFields(structuredClone({ ...attempt.fields, ...grantedFields })).find(({ field }) =>
    Object.hasOwn(grantedFields, field),
  )
  if (fault !== undefined) wrong(`fields.${fault.field}, which users.fields doesn't allow: ${fault.code}`)
  const isRole = (each: unknown): each is string => typeof each === 'string' && each !== ''
  if (!Array.isArray(roles) || !roles.every(isRole)) return wrong('roles that are no list of names')
  const [role] = definitions === undefined ? [] : unknownRoles(roles, { roles: definitions })
  if (role !== undefined) wrong(`the role ${role}, which is not in the option roles`)
  return { fields: grantedFields, roles: [...new Set(roles)] }
}
