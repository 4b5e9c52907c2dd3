import { guardCallback } from '../adapters/guard.js'
import { createOutage, type OutageLog } from '../adapters/outages.js'
import type { AppTemplates } from '../emails/compose.js'
import type { MailFacts, MailTable } from '../emails/mail-facts.js'
import type { Feature } from '../features/feature.js'
import type { MountCore } from '../http/feature-core.js'
import type { Authorize } from '../options/options.js'
import type { ResolvedOptions } from '../options/resolve.js'
import type { EmailTemplate, OwnEmail } from '../seams/email-templates.js'
import type { Client } from '../sessions/client.js'
import type { JsonValue, StoredUser } from '../user.js'
import { noRefusal } from './no-refusal.js'

/*
 * Functions of the app and of features that a request or an email waits for. Each call has the deadline of an
 * adapter call, and an error of one is never taken for its result.
 */

/**
 * The rules of `authorize`: one that fails is a 503.
 * @param log gets their outages
 */
export function guardRules(
  { authorize, ownRules, adapterTimeout }: Pick<ResolvedOptions, 'authorize' | 'ownRules' | 'adapterTimeout'>,
  log: OutageLog,
): Authorize {
  const outage = createOutage('authorize', log)
  const guarded = Object.entries(authorize).map(([name, rule]): [string, unknown] => {
    const path = `authorize.${name}`
    const call = async (...args: unknown[]): Promise<unknown> => {
      try {
        return await Reflect.apply(rule, authorize, args)
      } catch (thrown) {
        throw noRefusal(path, thrown, 'return false')
      }
    }
    const isOwn = Object.hasOwn(ownRules, name)
    return [name, isOwn ? guardCallback(path, call, adapterTimeout, outage) : rule]
  })
  return Object.fromEntries(guarded) as unknown as Authorize
}

/** Who must have a second factor, by each feature that has a say: one that fails is a 503. */
export function guardFactorRules(
  features: readonly Feature[],
  { adapterTimeout }: Pick<ResolvedOptions, 'adapterTimeout'>,
  log: OutageLog,
): NonNullable<Feature['mustHaveFactor']>[] {
  return features.flatMap((feature) =>
    feature.mustHaveFactor === undefined
      ? []
      : guardCallback(
          'mustHaveFactor',
          feature.mustHaveFactor.bind(feature),
          adapterTimeout,
          createOutage(`the feature ${feature.name}`, log),
        ),
  )
}

/** What features keep of a user, as JSON has it: one that fails is a 503. */
export function guardExports(
  features: readonly Feature[],
  { adapterTimeout }: Pick<ResolvedOptions, 'adapterTimeout'>,
  log: OutageLog,
): (user: StoredUser, core: MountCore, client: Client | null) => ReturnType<MountCore['exportOf']> {
  const guarded = features.flatMap((feature) => {
    const { name } = feature
    if (feature.export === undefined) return []
    const call = async (...args: Parameters<NonNullable<Feature['export']>>): Promise<JsonValue> =>
      JSON.parse(JSON.stringify((await feature.export?.(...args)) ?? null))
    const outage = createOutage(`the feature ${name}`, log)
    return [[name, guardCallback(`export of ${name}`, call, adapterTimeout, outage, first(1))] as const]
  })
  return async (...args) => {
    const exported = await Promise.all(
      guarded.map(async ([name, call]) => [name, await call(...args)] as const),
    )
    return Object.fromEntries(exported.filter(([, kept]) => kept !== null))
  }
}

/** What features decide and make for emails at delivery: an email whose function fails is postponed. */
export function guardMails(mails: MailTable, timeout: number): MailTable {
  const guarded = Object.entries<MailFacts>(mails).map(([kind, mail]): [string, MailFacts] => {
    const { isWanted, facts } = mail
    return [
      kind,
      {
        ...mail,
        // Of their arguments, only those about the email hold values that must not be logged.
        ...(isWanted && {
          isWanted: guardCallback(`isWanted of ${kind}`, isWanted.bind(mail), timeout, undefined, first(1)),
        }),
        ...(facts && {
          facts: guardCallback(`facts of ${kind}`, facts.bind(mail), timeout, undefined, first(2)),
        }),
      },
    ]
  })
  return Object.fromEntries(guarded) as MailTable
}

/** The app's templates, also those that are untyped and return a promise: an email whose template fails is postponed. */
export function guardTemplates(
  { emails, ownEmails }: Pick<ResolvedOptions, 'emails' | 'ownEmails'>,
  timeout: number,
): AppTemplates {
  const eachOf = (templates: Readonly<Record<string, EmailTemplate | OwnEmail>>) =>
    Object.fromEntries(
      Object.entries(templates).map(([kind, template]) => [
        kind,
        guardCallback(`the email ${kind}`, template as OwnEmail, timeout, undefined, first(2)),
      ]),
    )
  return { replaced: eachOf(emails), own: eachOf(ownEmails) }
}

/** So many of the arguments of a call. */
const first =
  (count: number) =>
  (...args: readonly unknown[]): readonly unknown[] =>
    args.slice(0, count)
